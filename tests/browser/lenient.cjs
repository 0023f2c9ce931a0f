// Required by Playwright's driver: Debian's Firefox knows no emulation of media over BiDi, and
// Playwright asks for it with every page. What is refused there is let go.
const {readFileSync} = require('node:fs');
const {_extensions: readers} = require('node:module');

const ASKS = /(\.send\("emulation\.setMediaFeaturesOverride", \{[\s\S]*?\n {8}\}\));/g;
const plain = readers['.js'];
readers['.js'] = (module, file) => {
  if (!file.endsWith('coreBundle.js')) return plain(module, file);
  module._compile(readFileSync(file, 'utf8').replace(ASKS, '$1.catch(() => {});'), file);
};
