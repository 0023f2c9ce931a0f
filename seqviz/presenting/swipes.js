// A finger turns the slides: a quick swipe to the left goes on, one to the right goes back.

const FAR = 50; // pixels
const QUICK = 700; // milliseconds
const OWN = 'input, select, textarea'; // a slider is for the same finger

/**
 * @param {Element} node
 * @param {(key: 'ArrowRight' | 'ArrowLeft') => void} press what it stands for
 */
export function hearSwipes(node, press) {
  let from = null;
  const begun = ({touches, target, timeStamp}) => {
    const single = touches.length === 1 && visualViewport.scale < 1.05; // else it zooms, or pans
    const [{clientX, clientY}] = touches;
    from = single && !target.closest(OWN) ? {clientX, clientY, timeStamp} : null;
  };
  const ended = event => {
    const start = from;
    from = null;
    if (!start || event.defaultPrevented) return; // it rested on a view
    const [{clientX, clientY}] = event.changedTouches;
    const across = clientX - start.clientX;
    const level = Math.abs(across) > 2 * Math.abs(clientY - start.clientY);
    const swiped = level && Math.abs(across) > FAR && event.timeStamp - start.timeStamp < QUICK;
    if (swiped) press(across < 0 ? 'ArrowRight' : 'ArrowLeft');
  };
  node.addEventListener('touchstart', begun, {passive: true});
  node.addEventListener('touchend', ended);
}
