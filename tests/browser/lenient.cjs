// Required by Playwright's driver: what Debian's Firefox does not know over BiDi its own parts are
// told, and what it names otherwise is named as the driver expects.
const {readFileSync, renameSync} = require('node:fs');
const {_extensions: readers} = require('node:module');
const {dirname, join} = require('node:path');

const OVERRIDE = `(id, prefersColorSchemeOverride, prefersReducedMotionOverride, mediumOverride) => {
  const parts = 'chrome://remote/content/shared/NavigableManager.sys.mjs';
  const page = ChromeUtils.importESModule(parts).NavigableManager.getBrowsingContextById(id);
  const told = {prefersColorSchemeOverride, prefersReducedMotionOverride, mediumOverride};
  Object.assign(page, told);
}`;
globalThis.tellFirefoxMedia = async (page, {colorScheme, reducedMotion, media}) => {
  const {_browserSession: firefox} = page._browserContext._browser;
  const windows = await firefox.send('browsingContext.getTree', {'moz:scope': 'chrome'});
  const motion = reducedMotion === 'reduce' ? 'reduce' : 'no-preference';
  const given = [page._session.sessionId, colorScheme, motion, media === 'print' ? media : ''];
  await firefox.send('script.callFunction', {
    functionDeclaration: OVERRIDE,
    arguments: given.map(value => ({type: 'string', value})),
    target: {context: windows.contexts[0].context},
    awaitPromise: true,
  });
};
// A download has no name of its own: the last part of its address is one, and that of its file.
globalThis.nameDownload = event => {
  event.download = event.url.split('/').at(-1);
  const {filepath: file, download} = event;
  if (file) renameSync(file, join(dirname(file), download));
};
// Of the driver's text: what asks, and what it becomes.
const CHANGES = [
  [
    /this\._session\.send\("emulation\.setMediaFeaturesOverride", [\s\S]*?\n {8}\}\);/,
    'tellFirefoxMedia(this, features);',
  ],
  [
    /(_browserSession\.send\("emulation\.setMediaFeaturesOverride", [\s\S]*?\n {8}\}\));/,
    '$1.catch(() => {});',
  ],
  [
    /(?<=\n {10})this\.updateHttpCredentials\(\)(?=\n {10}\/\/)/,
    'this.updateHttpCredentials(), this.updateEmulateMedia()',
  ],
  [/(?<=_onDownloadWillBegin\(event\) \{)/, 'nameDownload(event);'],
  [/(?<=_onDownloadEnded\(event\) \{)/, 'nameDownload(event);'],
  [/event\.suggestedFilename, event\.suggestedFilename/, 'event.suggestedFilename'],
];
const plain = readers['.js'];
readers['.js'] = (module, file) => {
  if (!file.endsWith('coreBundle.js')) return plain(module, file);
  const text = readFileSync(file, 'utf8');
  module._compile(CHANGES.reduce((code, [asks, gets]) => code.replace(asks, gets), text), file);
};
