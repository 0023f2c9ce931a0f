// The life of a worker: it begins when it is needed, and again after it has ended.

const BARRED = 'this place does not let it run: save the page, and open the file';
const MOST = 100e6; // bytes of numbers that the workers of a page hold together

// The workers of all views of the page, the one that was used last behind all others.
const living = (globalThis.seqvizLiving ??= new Set());
const held = () => [...living].reduce((sum, {size}) => sum + size, 0);

export class Life {
  /**
   * @param {Object} given
   * @param {number} given.size bytes of its numbers
   * @param {() => Promise<string>} given.script what the worker runs
   * @param {() => Promise<Object>} given.first what it is told first: `start`, and what of that is
   * its own from then on (`transfer`)
   * @param {() => boolean} given.busy whether something is asked of it
   * @param {(data: Object) => void} given.came what it says
   * @param {(problem: string) => void} given.ended why it is over
   */
  constructor(given) {
    Object.assign(this, given);
    this.worker = null;
    this.opening = null; // a promise of the worker, null where it ended at once
  }
  /** Begins ahead of the first message, unless others would have to end for that. */
  beginEarly() {
    if (held() + this.size <= MOST) this.begin();
  }
  async send(message) {
    const worker = await this.begin();
    worker?.postMessage({message});
  }
  begin() {
    living.delete(this);
    living.add(this);
    for (const other of living) {
      if (held() > MOST && other !== this && !other.busy()) other.rest();
    }
    this.opening ??= this.open();
    return this.opening;
  }
  async open() {
    let worker = null;
    try {
      const text = await this.script();
      worker = this.worker = this.made(text);
      const {start, transfer} = await this.first();
      worker.postMessage({start}, transfer);
    } catch (error) {
      if (worker === this.worker) this.end(error.name === 'SecurityError' ? BARRED : error.message);
    }
    return worker;
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
    worker.onerror = event => {
      event.preventDefault();
      if (worker !== this.worker) return;
      const said = event.message?.replace(/^(Uncaught )?(Error: )?/, '');
      this.end(said || (spoke ? 'it ended' : BARRED));
    };
    return worker;
  }
  /** Ends; the next message begins it again. */
  rest() {
    this.worker?.terminate();
    [this.worker, this.opening] = [null, null];
    living.delete(this);
  }
  end(problem) {
    this.rest();
    this.ended(problem);
  }
}
