import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'
import { nodeResolve } from '@rollup/plugin-node-resolve'

const isBrowser = process.env.PLATFORM === 'browser'

export default {
  input: 'compiled/bundle.js',
  output: {
    dir: 'out',
    format: 'es',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  },
  plugins: [
    nodeResolve(
      isBrowser ? { browser: true } : { preferBuiltins: true, exportConditions: ['node'] },
    ),
    commonjs({ ignore: ['node:sqlite'] }),
    json(),
  ],
}
