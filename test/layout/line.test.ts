import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from './source-files.ts'

const perform = readFileSync(`${root}packages/rest/src/perform.ts`, 'utf8')

it('docs/project/architecture.md shows the line of perform.ts word for word', () => {
  const line = /^ {4}for \(;;\) \{[\s\S]*?^ {4}\}$/m.exec(perform)?.[0] ?? 'no line'
  expect(readFileSync(`${root}docs/project/architecture.md`, 'utf8')).toContain(line)
})
