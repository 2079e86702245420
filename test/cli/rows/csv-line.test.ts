import { expect, it } from 'vitest'
import { csvLine } from '../../../packages/cli/src/rows/csv-line.ts'

it('rejects a text that would become another one in UTF-8', () => {
  expect(csvLine(['\u{1F600}'])).toBe('\u{1F600}\r\n')
  expect(() => csvLine(['a', '1', undefined, '\uD83D'])).toThrow(
    'Cell 4 of the line "a","1",… has half of a surrogate pair, which CSV cannot hold. Give --format ndjson.',
  )
})
