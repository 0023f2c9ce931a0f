import js from '@eslint/js';
import globals from 'globals';

export default [
  js.configs.recommended,
  {
    files: ['seqviz/**/*.js'],
    languageOptions: {globals: globals.browser},
    rules: {
      curly: ['error', 'multi-line'],
      'max-len': [
        'error',
        {code: 100, ignoreRegExpLiterals: true, ignoreStrings: true, ignoreTemplateLiterals: true},
      ],
      'max-lines-per-function': ['error', 60],
      'no-control-regex': 'off', // tokens may hold such characters
      'no-var': 'error',
      'object-shorthand': 'error',
      'one-var': ['error', 'never'],
      'prefer-const': 'error',
    },
  },
];
