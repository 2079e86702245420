import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { linkFrom } from './.vitepress/github-markdown.ts'
import { addressOf, groups } from './.vitepress/pages.ts'

const root = join(import.meta.dirname, '..')

/** Groups for those who work on Rowkey; assistants that write programs do not need them. */
const OPTIONAL: readonly string[] = ['The project', 'Reference']

/**
 * Writes what assistants read: `llms.txt`, which lists all pages as https://llmstxt.org says, and the text of each page beside it
 * as `<page>.md`. The samples in them are the tested ones of the pages.
 *
 * @param folder - of the built site
 * @param base - the folder of the host that the site is for
 */
export function writeAssistantTexts(folder: string, base: string): void {
  const sections = groups.map(({ title, pages }) => {
    const lines = Object.entries(pages).map(([page, text]) => `- [${text}](${base}${textOf(page)})`)
    return `## ${OPTIONAL.includes(title) ? `Optional: ${title}` : title}\n\n${lines.join('\n')}\n`
  })
  const files = new Set(groups.flatMap(({ pages }) => Object.keys(pages).map(fileOf)))
  for (const file of files) {
    const path = join(folder, addressOf(file))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, withSiteLinks(file, base))
  }
  writeFileSync(join(folder, 'llms.txt'), `${INTRODUCTION}\n${sections.join('\n')}`)
}

const INTRODUCTION = `# Rowkey

> A typed client for Azure Table Storage and the Cosmos DB Table API, in TypeScript: classes or schemas in, the same values out; typed queries;
> safe writes by ETag; an embedded table service, so that everything runs with \`npm install rowkey\` alone.

\`connect('memory:')\` and \`connect('file:./data')\` open the embedded service, a connection string opens Azure. Begin with The tour, then Models, Queries and
Changes. Errors have a \`code\`; the page Errors says what to do for each.
`

/** The page of an entry, without a heading. */
function fileOf(entry: string): string {
  return entry.replace(/#.*/, '')
}

function textOf(entry: string): string {
  return addressOf(fileOf(entry))
}

/** The text of a page, whose links lead to the texts of other pages, or to the source. */
function withSiteLinks(file: string, base: string): string {
  const text = readFileSync(join(root, file), 'utf8')
  return text.replaceAll(/\]\(([^)\s]+)\)/g, (whole, link: string) => {
    if (/^(?:[a-z]+:|#)/i.test(link)) return whole
    const there = linkFrom(file, link)
    return `](${there.startsWith('/') ? `${base}${there.slice(1)}` : there})`
  })
}
