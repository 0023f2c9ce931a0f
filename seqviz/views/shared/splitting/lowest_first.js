// A queue that gives its lowest number first: a heap, in which none is below half its place's
// (Williams 1964).

/** @returns {{add: (number: number) => void, take: () => number | undefined}} */
export function lowestFirst() {
  const heap = [];
  const swap = (a, b) => ([heap[a], heap[b]] = [heap[b], heap[a]]);
  return {
    add(number) {
      let at = heap.push(number) - 1;
      for (let up = (at - 1) >> 1; at > 0 && heap[at] < heap[up]; up = (at - 1) >> 1) {
        swap(at, up);
        at = up;
      }
    },
    take() {
      const lowest = heap[0];
      const last = heap.pop();
      if (heap.length) heap[0] = last;
      for (let at = 0; ;) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        const least = right < heap.length && heap[right] < heap[left] ? right : left;
        if (!(heap[least] < heap[at])) return lowest;
        swap(at, least);
        at = least;
      }
    },
  };
}
