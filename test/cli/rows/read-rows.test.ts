import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CsvColumns } from '../../../packages/cli/src/rows/csv-columns.ts'
import { csvLine } from '../../../packages/cli/src/rows/csv-line.ts'
import type { CsvForm } from '../../../packages/cli/src/rows/read-csv.ts'
import {
  type FileFormat,
  formatOfFile,
  readRows,
  STANDARD,
} from '../../../packages/cli/src/rows/read-rows.ts'
import { parseRowLine, printRowLine } from '../../../packages/cli/src/rows/row-line.ts'
import { textLines } from '../../../packages/cli/src/rows/text-lines.ts'
import { arbitraryName, arbitraryProperty } from '../../odata/arbitrary-values.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { everyType } from '../with-tables.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowkey-rows-'))
})
afterAll(() => rm(folder, { recursive: true }))

const { signal } = new AbortController()
const noInput = (async function* (): AsyncGenerator<string> {})()

/** Reads texts as the standard input, cut anywhere. */
const read = async (
  chunks: readonly (string | Uint8Array)[],
  format: FileFormat,
  form?: CsvForm,
) => {
  const input = (async function* () {
    yield* chunks
  })()
  const lines = []
  for await (const line of readRows({ input, signal }, { path: STANDARD, format, ...form })) {
    lines.push(line)
  }
  return lines.map(({ row }) => row)
}

/** A row that says everything about its values. */
const shown = (row: DynamicEntity) => [row.partitionKey, row.rowKey, [...row.properties].sort()]

const arbitraryRow = fc
  .tuple(
    fc.string(),
    fc.string(),
    fc.array(fc.tuple(arbitraryName, arbitraryProperty), { maxLength: 6 }),
  )
  .map(([partitionKey, rowKey, properties]) => new DynamicEntity(partitionKey, rowKey, properties))

const printCsv = (rows: readonly DynamicEntity[], dialect: 'csv' | 'explorer-csv') => {
  const columns = new CsvColumns(dialect)
  for (const row of rows) columns.add(row)
  return [columns.headings, ...rows.map((row) => columns.cellsOf(row))].map(csvLine).join('')
}

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

  it('splits lines only at line feeds, also when a character is cut', async () => {
    const row = new DynamicEntity('a', 'ü\u2028', { text: 'a\u2028b\u0085€' })
    const bytes = Buffer.from(`\uFEFF${printRowLine(row)}\r\n\n`)
    const cut = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect((await read(cut, 'ndjson')).map(shown)).toEqual([shown(row)])
  })

  it.each([
    ['{"PartitionKey":"a"}', 'RowKey'],
    ['{"PartitionKey":"a","RowKey":1}', 'RowKey'],
    ['[1]', 'must be an object'],
    ['nothing', 'not JSON'],
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
  ])('names the line that cannot be read: %s', async (line, reason) => {
    const valid = '{"PartitionKey":"a","RowKey":"b"}\n'
    await expect(read([valid, line], 'ndjson')).rejects.toThrow(/^-, line 2: /)
    await expect(read([valid, line], 'ndjson')).rejects.toThrow(reason)
  })
})

it('rejects a line that is longer than any row before the line ends', async () => {
  let read = 0
  const input = (async function* () {
    for (const chunk = 'x'.repeat(1024 * 1024); ; read++) yield read === 0 ? `{}\n${chunk}` : chunk
  })()
  const lines = textLines(input, 'rows.ndjson')
  expect((await lines.next()).value).toBe('{}')
  await expect(lines.next()).rejects.toMatchObject({
    code: 'UnreadableInput',
    message: expect.stringMatching(/^rows.ndjson, line 2: The line is longer than any row/),
  })
  expect(read).toBe(16)
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

describe('CSV', () => {
  it.each(['csv', 'explorer-csv'] as const)(
    'keeps every value of random rows as %s',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(fc.array(arbitraryRow, { maxLength: 5 }), async (rows) => {
          expect((await read([printCsv(rows, format)], format)).map(shown)).toEqual(rows.map(shown))
        }),
        { numRuns: randomSteps(1_000) },
      )
    },
  )

  it.each(['csv', 'explorer-csv'] as const)(
    'keeps stored properties that are called etag as %s',
    async (format) => {
      const rows = [new DynamicEntity('a', '1', { etag: 'x', ETag: 1 })]
      expect((await read([printCsv(rows, format)], format)).map(shown)).toEqual(rows.map(shown))
    },
  )

  it('reads other delimiters, and leaves out the line that PowerShell begins with', async () => {
    for (const delimiter of [';', '\t', '|', '^']) {
      const text = '#TYPE System.Object\nPartitionKey,"RowKey",n\n"a",1,"x,y"\n'
      const [row] = await read([text.replaceAll(',', delimiter)], 'csv', { delimiter })
      expect([row?.rowKey, row?.get('n')?.value]).toEqual(['1', `x${delimiter}y`])
    }
  })

  it('carries the types of the first row forward, as newer versions of Storage Explorer need it', async () => {
    const text =
      'PartitionKey,RowKey,Timestamp,age,age@type,big,big@type,since,since@type\n' +
      'a,1,2026-01-01T00:00:00Z,5,Int32,7,Int64,2026-01-02T03:04:05.1234567Z,DateTime\n' +
      'a,2,2026-01-01T00:00:00Z,6,,,,,\n' +
      'a,3,2026-01-01T00:00:00Z,true,Boolean,9,,,\n'
    const rows = await read([text], 'csv')
    expect(
      rows.map(({ properties }) => [...properties].map(([name, { type }]) => `${name}:${type}`)),
    ).toEqual([
      ['age:Int32', 'big:Int64', 'since:DateTime'],
      ['age:Int32'],
      ['age:Boolean', 'big:Int64'],
    ])
  })

  it.each(['\n', '\r', '\r\n'])(
    'reads lines that end in %j, whatever other lines end in',
    async (end) => {
      const text = `PartitionKey,RowKey,n${end}a,1,"x\r\ny"${end}a,2,z\r\na,3,z\na,4,z`
      const rows = await read([...text], 'csv')
      expect(rows.map((row) => row.get('n')?.value)).toEqual(['x\r\ny', 'z', 'z', 'z'])
    },
  )

  it('reads columns without types as texts, or as the types that the caller gives', async () => {
    const text = 'PartitionKey,RowKey,age,etag\na,1,5,"W/""x"""\n'
    const [plain] = await read([text], 'csv')
    expect(plain?.get('age')).toMatchObject({ type: 'String', value: '5' })
    expect(plain?.properties.size).toBe(1)
    const [typed] = await read([text], 'csv', { types: { age: 'Int64' } })
    expect(typed?.get('age')).toMatchObject({ type: 'Int64', value: 5n })
  })

  it.each(['aeg', 'RowKey', 'n'])(
    'rejects a type of %s, which would have no effect',
    async (name) => {
      const text = 'PartitionKey,RowKey,age,n:Int32\na,1,5,6\n'
      await expect(read([text], 'csv', { types: { [name]: 'Int64' } })).rejects.toMatchObject({
        code: 'InvalidArgument',
        message: `--type ${name}: the CSV has no column of this name without a type.`,
      })
    },
  )

  it.each([
    ['PartitionKey,RowKey,n:Int32\na,1,x\n', 'line 2'],
    ['PartitionKey,RowKey,n:Int32\na,1,0x10\n', 'line 2'],
    [
      'PartitionKey,RowKey,n:Double\na,1,1e400\n',
      'line 2: n is "1e400", which is not a valid Double',
    ],
    ['PartitionKey,RowKey,n,n@type\na,1,x,Word\n', '"Word"'],
    ['PartitionKey,RowKey\na,1,x\n', 'line 2: The line has 3 cells, and the first line has 2.'],
    ['PartitionKey,RowKey,n:Int32\na,1,12x\n', 'line 2: n is "12x", which is not a valid Int32.'],
    [`PartitionKey,RowKey,n:Guid\na,1,${'x'.repeat(99)}\n`, `n is "${'x'.repeat(40)}…", which`],
    ['PartitionKey,RowKey,n:Int32,n:Int32\na,1,,2\n', 'line 1: Two columns are called n.'],
    ['Partitionkey,RowKey\na,1\n', 'line 1: No column is called PartitionKey. "Partitionkey" is'],
    ['PartitionKey\tRowKey\na\t1\n', 'line 1: No column is called PartitionKey. If tabs separate'],
    ['PartitionKey,RowKey,n\na,1,x\na,2,"x\ny\n\nz\n', 'line 3: A cell begins with a quote'],
    ['PartitionKey,RowKey,n\na,1,"x\ny"z\n', 'line 2: A cell has "z" after its closing quote'],
    ['PartitionKey,RowKey,n\na,1,x\na,2,x"y\n', 'line 3: A cell has a quote within it'],
    ['PartitionKey,RowKey,n:Int32,n:Int64\na,1,,2\na,2,1,2\n', 'line 3: n has two values.'],
    ['PartitionKey,PartitionKey,RowKey\na,b,1\n', 'line 1: Two columns are called PartitionKey.'],
    ['PartitionKey,RowKey,,\na,1,,\na,2,,x\n', 'line 3: Column 4 has a value and no name.'],
    ['PartitionKey,RowKey\na,\n', 'PartitionKey and RowKey'],
    [
      'PartitionKey;RowKey;n\na;1;2\n',
      'line 1: No column is called PartitionKey. If ";" separates',
    ],
    ['PartitionKey,Row Key\na,1\n', 'line 1: No column is called RowKey. "Row Key" is'],
    ['{"PartitionKey":"a","RowKey":"1"}\n', 'line 1: A cell has a quote within it'],
  ])('names what cannot be read: %j', async (text, reason) => {
    await expect(read([text], 'csv')).rejects.toMatchObject({
      code: 'UnreadableInput',
      message: expect.stringContaining(reason),
    })
  })
})

it.each([
  ['csv', 'PartitionKey,RowKey,name\na,1,Jos\xe9\n', 'latin1'],
  ['ndjson', '{"PartitionKey":"a","RowKey":"1","name":"Jos\xe9"}', 'latin1'],
] as const)('rejects %s that is not UTF-8: %j in %3$s', async (format, text, encoding) => {
  await expect(read([Buffer.from(text, encoding)], format)).rejects.toMatchObject({
    code: 'UnreadableInput',
    message: '- is not UTF-8 text. Save it as UTF-8.',
  })
})

it('reads UTF-8 with a byte order mark', async () => {
  const line = Buffer.from('\ufeff{"PartitionKey":"a","RowKey":"\ufeffé"}')
  const [row] = await read([line.subarray(0, 2), line.subarray(2)], 'ndjson')
  expect(row?.rowKey).toBe('\ufeffé')
  const [other] = await read(['\ufeffPartitionKey,RowKey\na,1\n'], 'csv')
  expect(other?.partitionKey).toBe('a')
})

it.each(['PartitionKey,RowKey,n\na,1,é\n', '{"PartitionKey":"a","RowKey":"1","n":"é"}'])(
  'reads UTF-16 with a byte order mark, cut anywhere: %j',
  async (text) => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
    const format = text.startsWith('{') ? 'ndjson' : 'csv'
    for (const encoded of [bytes, Buffer.from(bytes).swap16()]) {
      const cut = Array.from(encoded, (byte) => Uint8Array.of(byte))
      expect((await read(cut, format)).map((row) => row.get('n')?.value)).toEqual(['é'])
    }
  },
)

it('yields a row as soon as its line is read, when the writer waits after it', async () => {
  const input = (async function* () {
    yield '{"PartitionKey":"a","RowKey":"1"}\n'
    await new Promise(() => {})
  })()
  const rows = readRows({ input, signal }, { path: STANDARD, format: 'ndjson' })
  expect((await rows.next()).value?.row.rowKey).toBe('1')
})

describe('JSON', () => {
  const rows = [1, 2].map((n) => `{"PartitionKey":"a","RowKey":"${n}","t":"]}\\"{\\\\","n":${n}.0}`)
  const both = [1, 2].map((n) => ['a', `${n}`, 'Double', n])

  it.each([
    ['an array', `[${rows.join(',')}]`],
    ['an array of lines, as query prints it', `[\n${rows.join(',\n')}\n]\n`],
    ['a page of the service', `{"odata.metadata":"x","value":[${rows.join(',')}]}`],
    [
      'a wrapper with more members',
      `{\n "items" : [ ${rows.join(' , ')} ],\n "more": [{}], "n": "["}`,
    ],
    ['objects one after the other', rows.join('\n\n')],
    [
      'formatted objects',
      rows.map((row) => row.replaceAll(',"', ',\n  "').replace('{', '{\n  ')).join(),
    ],
  ])('reads %s, cut anywhere', async (_, text) => {
    for (const chunks of [[text], [...text]]) {
      for (const format of ['json', 'ndjson'] as const) {
        if (format === 'ndjson' && chunks.length > 1) continue
        const found = await read(chunks, format)
        expect(
          found.map((row) => [
            row.partitionKey,
            row.rowKey,
            row.get('n')?.type,
            row.get('n')?.value,
          ]),
        ).toEqual(both)
      }
    }
  })

  it.each([
    ['[]', 0],
    ['{"value":[]}', 0],
    ['', 0],
  ])('reads no rows of %j', async (text) => {
    expect(await read([text], 'json')).toEqual([])
  })

  it.each([
    ['[\n{"PartitionKey":"a","RowKey":"1"},\n{"PartitionKey":"a"}]', 'line 3: A row needs'],
    ['[1]', 'line 1: This is not the JSON of rows'],
    ['["a"]', 'line 1: This is not the JSON of rows'],
    ['[[]]', 'line 1: This is not the JSON of rows'],
    ['nothing', 'line 1: This is not the JSON of rows'],
    ['[\n{"PartitionKey":"a"', 'line 2: The text ends within its JSON.'],
    ['{"value":[{"PartitionKey":"a","RowKey":"1"}', 'line 1: The text ends within its JSON.'],
    [']', 'line 1: The JSON closes more than it opens.'],
    ['[{"PartitionKey":"a","RowKey":"1",}]', 'line 1: The text is not JSON.'],
    [`[{"a":"${'x'.repeat(17 * 1024 * 1024)}`, 'line 1: The object is longer than any row.'],
  ])('names the line that cannot be read: %.60s', async (text, reason) => {
    await expect(read([text], 'json')).rejects.toMatchObject({
      code: 'UnreadableInput',
      message: expect.stringContaining(reason),
    })
  })
})

describe('the name of a file', () => {
  it.each([
    ['people', 'ndjson'],
    ['people.ndjson.gz', 'ndjson'],
    ['people.jsonl', 'ndjson'],
    ['people.json', 'json'],
    ['PEOPLE.CSV.GZ', 'csv'],
    ['export-2026.11.28', 'ndjson'],
  ])('%s says %s', (name, format) => {
    expect(formatOfFile(name)).toBe(format)
  })

  it.each(['people.tsv', 'people.xlsx', 'people.parquet', 'people.zip'])(
    '%s says nothing',
    (name) => {
      expect(() => formatOfFile(name)).toThrow(/is not the ending of a format. Give --format/)
    },
  )
})

it('rejects gzip that is cut', async () => {
  const zipped = gzipSync(`${printRowLine(everyType('a', 'b'))}\n`)
  await expect(read([zipped.subarray(0, 60)], 'ndjson')).rejects.toMatchObject({
    code: 'UnreadableInput',
    message: '- is not a whole gzip file: unexpected end of file.',
  })
})

it('reads gzip from a file and from the standard input, and counts bytes', async () => {
  const row = everyType('a', 'b')
  const zipped = gzipSync(`${printRowLine(row)}\n`)
  expect((await read([zipped], 'ndjson')).map(shown)).toEqual([shown(row)])
  const path = join(folder, 'rows.csv.gz')
  await writeFile(path, gzipSync(printCsv([row], 'csv')))
  let bytes = 0
  for await (const line of readRows(
    { input: noInput, signal },
    { path, onBytes: (read) => (bytes += read) },
  )) {
    expect(shown(line.row)).toEqual(shown(row))
  }
  expect(bytes).toBeGreaterThan(50)
})
