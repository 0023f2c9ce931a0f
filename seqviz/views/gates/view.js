// Gate traces: the life of the view.

import {followSize, followTheme, mount} from '../shared/base.js';
import {CONTROLS, Gates} from './gates.js';
import {followHands} from './hands.js';

function render({model, el}) {
  const {root, signal, end} = mount(el, 'gates', 'gates of a recurrent layer', model);
  const view = new Gates({model, root, signal});
  root.run = () => view.models.map(({after}) => after); // for whoever checks the arithmetic
  view.dialogue.hear(CONTROLS, () => view.draw());
  followTheme(root, () => view.draw(), signal);
  followSize(view.nodes.stage, () => view.draw(), signal);
  view.draw();
  followHands(view);
  return end;
}
export default {render};
