import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from './source-files.ts'

const perform = readFileSync(`${root}packages/rest/src/perform.ts`, 'utf8')

it('docs/architecture.md shows the line of perform.ts word for word', () => {
  const line = /^ {2}const request = [\s\S]*?^ {2}\}\)$/m.exec(perform)?.[0] ?? 'no line'
  const shown = line.replace(/^ {2}/gm, '    ')
  expect(readFileSync(`${root}docs/architecture.md`, 'utf8')).toContain(shown)
})
