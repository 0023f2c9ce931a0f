// Two texts, and what is carried from one into the other.

import {Frame, framedView} from '../shared/frame.js';

const ABOUT = {
  name: 'cause',
  label: 'states carried from one text into another',
  stage: 'two texts, a row after each block',
};

class Cause extends Frame {}
export default framedView(Cause, ABOUT);
