import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeAssistantTexts } from '../../../site/assistant-texts.ts'

const folder = mkdtempSync(join(tmpdir(), 'rowkey-texts-'))
beforeAll(() => writeAssistantTexts(folder, '/rowkey/0.1/'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('the texts for assistants', () => {
  it('list every page, with a text that exists', () => {
    const list = read('llms.txt')
    expect(list).toMatch(/^# Rowkey\n\n> A typed client/)
    const links = Array.from(
      list.matchAll(/\]\(\/rowkey\/0\.1\/([^)]+)\)/g),
      ([, path = '']) => path,
    )
    expect(links.length).toBeGreaterThan(40)
    for (const link of links) expect(read(link)).toMatch(/\w/)
  })

  it('hold the tested samples of the pages, and links to other texts', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/queries.md'), 'utf8')
    const samples = page.match(/^```ts\n.*?^```$/gms) ?? []
    expect(samples.length).toBeGreaterThan(3)
    for (const sample of samples) expect(read('queries.md')).toContain(sample)
    expect(read('tour.md')).toContain('](/rowkey/0.1/')
    expect(read('tour.md')).not.toMatch(/\]\((?:docs|\.\.)\//)
  })
})
