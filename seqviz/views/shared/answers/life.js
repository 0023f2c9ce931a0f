// The life of a worker: it begins when it is needed, and again after it has ended.

/** What ends a worker before it has said anything, but for an error of its own: a policy. */
export const BARRED = '';

export class Life {
  /**
   * @param {Object} given
   * @param {() => Promise<string>} given.script what the worker runs
   * @param {() => Promise<Object>} given.begin what it is told first: `start`, what of that is its
   * own from then on (`transfer`), and `messages`
   * @param {(data: Object) => void} given.came what it says
   * @param {(problem: string) => void} given.ended why it is over
   */
  constructor(given) {
    Object.assign(this, given);
    this.worker = null;
    this.opening = null;
  }
  /** @returns {Promise<Worker | null>} null where it ended at once */
  start() {
    this.opening ??= this.open();
    return this.opening;
  }
  async send(message) {
    const worker = await this.start();
    worker?.postMessage({message});
  }
  async open() {
    try {
      const worker = this.made(await this.script());
      const {start, transfer, messages} = await this.begin();
      worker.postMessage({start}, transfer);
      for (const message of messages) worker.postMessage({message});
      return worker;
    } catch (error) {
      this.end(error.name === 'SecurityError' ? BARRED : error.message);
      return null;
    }
  }
  made(text) {
    const address = URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
    const worker = new Worker(address);
    let spoke = false;
    worker.onmessage = ({data}) => {
      if (!spoke) URL.revokeObjectURL(address);
      spoke = true;
      if (worker === this.worker) this.came(data);
    };
    worker.onmessageerror = () => worker === this.worker && this.end('its answer is not readable');
    worker.onerror = event => {
      event.preventDefault();
      if (worker !== this.worker) return;
      const said = event.message?.replace(/^(Uncaught )?(Error: )?/, '');
      this.end(said || (spoke ? 'it ended' : BARRED));
    };
    this.worker = worker;
    return worker;
  }
  end(problem) {
    this.worker?.terminate();
    [this.worker, this.opening] = [null, null];
    this.ended(problem);
  }
}
