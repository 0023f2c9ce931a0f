/**
 * A line to the server of `seqviz present --vote`, mended when it breaks.
 * @param {string} address
 * @param {{came: Function, hear: Function, gone: (code: number) => void}} calls
 * @returns {(message: Object) => void} sends, unless the line is broken
 */
export function lineTo(address, {came, hear, gone}) {
  let socket;
  const connect = () => {
    socket = new WebSocket(address);
    socket.addEventListener('open', came);
    socket.addEventListener('message', ({data}) => hear(JSON.parse(data)));
    socket.addEventListener('close', ({code}) => {
      gone(code);
      if (code < 4000) setTimeout(connect, 1000); // else it was turned away
    });
  };
  connect();
  return message => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
}
