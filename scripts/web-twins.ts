import type { Plugin } from 'esbuild'
import { webTwin } from './build/plugins.ts'

/** Lets esbuild bundle the sources as browsers and workers get them. */
export const webTwins: Plugin = {
  name: 'web-twins',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, importer }) => {
      const twin = webTwin(path, importer)
      return twin === undefined ? undefined : { path: twin, sideEffects: false }
    })
  },
}
