/** A link from each block of code to the playground, where the block runs after the ones before it. */
import type { MarkdownEnv, MarkdownOptions } from 'vitepress'
import { blockPrograms } from '../playground/page-programs.ts'
import { base } from './edition.ts'

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0]

/** Adds a link to each block that runs in a browser. */
export function linkPlayground(md: MarkdownIt): void {
  const { fence } = md.renderer.rules
  if (fence === undefined) throw new Error('The renderer of code is missing.')
  md.core.ruler.push('rowkey-playground', ({ src, tokens }) => {
    const blocks = tokens.filter(({ type, info }) => type === 'fence' && /^ts\b/.test(info))
    blockPrograms(src).forEach(({ runs }, at) => {
      const block = blocks[at]
      if (runs && block !== undefined) block.meta = { ...block.meta, playground: at }
    })
  })
  md.renderer.rules.fence = (tokens, at, options, env: MarkdownEnv, self) => {
    const block = tokens[at]?.meta?.playground
    const html = fence(tokens, at, options, env, self)
    if (block === undefined) return html
    // The home page shows the first block of the tour.
    const path = env.relativePath.endsWith('/first-program.md') ? 'tour.md' : env.relativePath
    const page = path.replace(/\.md$/, '')
    const href = `${base}playground.html#page=${page}&amp;block=${block}`
    return `${html}<p class="open-in-playground"><a href="${href}" target="_self">Run it in the playground</a></p>`
  }
}
