// A button on each piece of code that copies it.

const SAID = 2000; // milliseconds that the button says what it did

for (const code of document.querySelectorAll('.highlight pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => copy(code, button));
  code.parentElement.append(button);
}

async function copy(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    say(button, 'Copied');
  } catch (problem) {
    console.info(problem);
    getSelection().selectAllChildren(code);
    say(button, 'Selected: press Ctrl+C');
  }
}

function say(button, text) {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SAID);
}
