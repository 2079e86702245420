import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { base, sourceOf, version } from './edition.ts'
import { anchorOf, linkPages } from './links.ts'
import { addressOf, groups, pages } from './pages.ts'
import { linkPlayground } from './playground-links.ts'

const site = fileURLToPath(new URL('..', import.meta.url))

const linkOf = (page: string) => `/${addressOf(page).replace(/\.md$/, '')}`

export default defineConfig({
  title: 'Rowkey',
  description: 'A typed client for Azure Table Storage and the Cosmos DB Table API.',
  base,
  srcDir: '..',
  // Everything else stays where it is written: pages.ts lists what the site shows.
  srcExclude: [
    '.*/**',
    '{examples,packages,scripts,test}/**',
    'bench/{results,server,types,floor,footprint,adapters}/**',
    'docs/api/**',
    'site/!(home|playground).md',
  ],
  rewrites: Object.fromEntries(pages.map((page) => [page, addressOf(page)])),
  outDir: `${site}dist`,
  cacheDir: `${site}.vitepress/cache`,
  vite: { publicDir: `${site}public` },
  markdown: {
    anchor: { slugify: anchorOf },
    config(md) {
      linkPages(md)
      linkPlayground(md)
    },
  },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}mark.svg` }]],
  themeConfig: {
    logo: '/mark.svg',
    nav: [
      { text: 'Tour', link: '/tour' },
      { text: 'All pages', link: '/pages' },
      { text: 'Playground', link: '/playground' },
      { text: version, items: [{ text: 'Changes of a version', link: '/versions' }] },
    ],
    sidebar: groups.map(({ title, pages: entries }) => ({
      text: title,
      items: Object.entries(entries).map(([page, text]) => ({ text, link: linkOf(page) })),
    })),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: sourceOf('') }],
    editLink: {
      pattern: sourceOf(':path'),
      text: 'The source of this page',
    },
    footer: { message: 'MIT' },
  },
})
