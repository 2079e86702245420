import { fileURLToPath } from 'node:url'
import { type DefaultTheme, defineConfigWithTheme } from 'vitepress'
import { base, sourceOf, version } from './edition.ts'
import { anchorOf, fenceIndentedCode, linkPages } from './github-markdown.ts'
import { continueBlocks, hoverTypes } from './hover-types.ts'
import { addressOf, groups, linkTo, pages } from './pages.ts'
import { linkPlayground } from './playground-links.ts'
import { accessibleSearch, boostDocument, boostTerm } from './search.ts'

const site = fileURLToPath(new URL('..', import.meta.url))

export default defineConfigWithTheme<DefaultTheme.Config & { readonly version: string }>({
  title: 'Rowkey',
  description: 'A typed client for Azure Table Storage and the Cosmos DB Table API.',
  base,
  srcDir: '..',
  // Everything else stays where it is written: pages.ts lists what the site shows.
  srcExclude: [
    '.*/**',
    'AGENTS.md',
    'CODE_OF_CONDUCT.md',
    '{packages,scripts,test}/**',
    'examples/!(stacks)/**',
    'examples/stacks/*/**',
    'bench/{results,server,types,floor,footprint,adapters}/**',
    'docs/api/**',
    'site/README.md',
    'site/dist/**',
  ],
  rewrites: Object.fromEntries(pages.map((page) => [page, addressOf(page)])),
  outDir: `${site}dist`,
  cacheDir: `${site}.vitepress/cache`,
  vite: { publicDir: `${site}public`, plugins: [accessibleSearch] },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf },
    codeTransformers: [hoverTypes],
    config(md) {
      linkPages(md)
      fenceIndentedCode(md)
      continueBlocks(md)
      linkPlayground(md)
    },
  },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}mark.svg` }]],
  themeConfig: {
    logo: '/mark.svg',
    version,
    nav: [
      { text: 'Tour', link: '/tour' },
      { text: 'All pages', link: '/pages' },
      { text: 'Playground', link: '/playground' },
      { text: 'Reference', link: '/reference/' },
      { component: 'VersionMenu' },
    ],
    sidebar: groups.map(({ title, pages: entries }) => ({
      text: title,
      items: Object.entries(entries).map(([page, text]) => ({ text, link: linkTo(page) })),
    })),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        // The sentence that was found, below each title.
        detailedView: true,
        miniSearch: { searchOptions: { boostDocument, boostTerm } },
        // Types that show on hover are not text of the page.
        _render: (text, env, md) => md.render(text.replaceAll('```ts twoslash', '```ts'), env),
      },
    },
    socialLinks: [{ icon: 'github', link: sourceOf('') }],
    editLink: {
      pattern: sourceOf(':path'),
      text: 'The source of this page',
    },
    notFound: {
      title: 'This page does not exist',
      quote: 'It may have moved. Search for it, or choose it from “All pages”.',
      linkLabel: 'go to the front page',
      linkText: 'Front page',
    },
    footer: { message: 'Rowkey has the MIT licence.' },
  },
})
