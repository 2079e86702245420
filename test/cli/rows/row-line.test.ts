import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRowLine, printRowLine } from '../../../packages/cli/src/rows/row-line.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { everyType } from '../with-tables.ts'
import { arbitraryRow, read, shown } from './read-text.ts'

describe('NDJSON', () => {
  it('keeps every value of random rows, whatever their types', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryRow, { maxLength: 5 }), async (rows) => {
        const text = rows.map((row) => `${printRowLine(row)}\n`).join('')
        expect((await read([text], 'ndjson')).map(shown)).toEqual(rows.map(shown))
      }),
      { numRuns: randomSteps(2_000) },
    )
  })

  it('keeps the Timestamp, and what a diff says to do with the row', () => {
    const row = everyType('a', 'b')
    row.timestamp = new Date('2026-01-02T03:04:05Z')
    const line = parseRowLine(printRowLine(row, 'replace'), 'here')
    expect([line.change, line.row.timestamp?.getTime()]).toEqual([
      'replace',
      row.timestamp.getTime(),
    ])
  })

  it.each([
    ['{"PartitionKey":"a"}', 'RowKey'],
    ['{"PartitionKey":"a","RowKey":1}', 'RowKey'],
    ['{"RowKey":"b"}', 'PartitionKey'],
    ['{"PartitionKey":1,"RowKey":"b"}', 'PartitionKey'],
    ['[1]', 'must be an object'],
    ['nothing', 'The text is not JSON. Unexpected token'],
    ['{"PartitionKey":"a","RowKey":"b",}', 'JSON at position 33'],
    ['{"PartitionKey":"a","RowKey":"b","n@odata.type":"Edm.Int32","n":1.5}', 'Int32'],
    ['{"PartitionKey":"a","RowKey":"b","odata.change":"drop"}', 'odata.change'],
    ['{"PartitionKey":"a","RowKey":"b","n":1e400}', '"n" is the number Infinity'],
    [`{"PartitionKey":"a","RowKey":"b","n":${'9'.repeat(400)}}`, '"n" is the number Infinity'],
    ['{"PartitionKey":"a","RowKey":"b","n@odata.type":"Edm.Double","n":"-1e400"}', 'Double'],
    ['{"PartitionKey":"a","RowKey":"b","t":"\\"n\\":1","n" :1,"n":2}', '"n" has two values.'],
    [
      '{"PartitionKey":"a","RowKey":"b","t":"1,2","n":9007199254740993}',
      '"n@odata.type":"Edm.Int64","n":"9007199254740993"',
    ],
    [
      '{"PartitionKey":"a","RowKey":"b","n":-9007199254740993}',
      '"n@odata.type":"Edm.Int64","n":"-9007199254740993"',
    ],
  ])('names the line that cannot be read: %s', async (line, reason) => {
    const valid = '{"PartitionKey":"a","RowKey":"b"}\n'
    await expect(read([valid, line], 'ndjson')).rejects.toThrow(/^-, line 2: /)
    await expect(read([valid, line], 'ndjson')).rejects.toThrow(reason)
  })
})

it('reads large numbers that no digit is lost of', async () => {
  const line =
    '{"PartitionKey":"a","RowKey":"9007199254740993","n":9007199254740992,"e":1.15e18,"d@odata.type":"Edm.Double","d":9007199254740997}'
  const [row] = await read([line], 'ndjson')
  expect(
    [...(row?.properties ?? [])].map(([name, { type, value }]) => [name, type, value]),
  ).toEqual([
    ['n', 'Double', 2 ** 53],
    ['e', 'Double', 1.15e18],
    ['d', 'Double', 2 ** 53 + 4],
  ])
})
