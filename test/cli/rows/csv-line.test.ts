import { expect, it } from 'vitest'
import { csvLine } from '../../../packages/cli/src/rows/csv-line.ts'

it('rejects a text that would become another one in UTF-8', () => {
  expect(csvLine(['\u{1F600}'])).toBe('\u{1F600}\r\n')
  expect(() => csvLine(['\uD83D'])).toThrow('Give --format ndjson.')
})
