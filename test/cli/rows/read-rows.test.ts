import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatOfFile, readRows, STANDARD } from '../../../packages/cli/src/rows/read-rows.ts'
import { printRowLine } from '../../../packages/cli/src/rows/row-line.ts'
import { everyType } from '../with-tables.ts'
import { printCsv, read, shown, signal } from './read-text.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowkey-rows-'))
})
afterAll(() => rm(folder, { recursive: true }))
const noInput = (async function* (): AsyncGenerator<string> {})()

it.each([
  ['csv', 'PartitionKey,RowKey,name\na,1,Jos\xe9\n', 'latin1'],
  ['ndjson', '{"PartitionKey":"a","RowKey":"1","name":"Jos\xe9"}', 'latin1'],
] as const)('rejects %s that is not UTF-8: %j in %3$s', async (format, text, encoding) => {
  await expect(read([Buffer.from(text, encoding)], format)).rejects.toMatchObject({
    code: 'UnreadableInput',
    message: '- is not UTF-8 text. Save it as UTF-8.',
  })
})

it.each([
  [
    'a text whose last character is cut',
    Buffer.from('PartitionKey,RowKey,n\na,1,é').subarray(0, -1),
  ],
  ['a single byte that no text has', Buffer.of(0xff)],
])('rejects %s', async (_, bytes) => {
  await expect(read([bytes], 'csv')).rejects.toMatchObject({
    message: '- is not UTF-8 text. Save it as UTF-8.',
  })
})

it.each(['csv', 'json', 'ndjson'] as const)(
  'reads no rows of an empty input as %s',
  async (format) => {
    expect(await read([], format)).toEqual([])
  },
)

it.each([{ types: { n: 'Int64' } }, { delimiter: ';' }] as const)(
  'rejects the options of CSV for JSON: %j',
  async (form) => {
    for (const format of ['json', 'ndjson'] as const) {
      await expect(read(['{}'], format, form)).rejects.toMatchObject({ code: 'InvalidArgument' })
    }
  },
)

it.each([
  ['[', '\n{"PartitionKey":"a",\n"RowKey":"1"}\n]'],
  ['{', '\n"PartitionKey":"a",\n"RowKey":"1"}'],
])('recognizes JSON whose first %s comes alone', async (...chunks) => {
  expect((await read(chunks, 'ndjson')).map(({ rowKey }) => rowKey)).toEqual(['1'])
})

it('rejects blanks without an end', async () => {
  const blanks = Array(40).fill(' '.repeat(1024 * 1024))
  await expect(read(blanks, 'ndjson')).rejects.toThrow('-, line 1: The line is longer than any row')
})

it('passes on the error of an input that is compressed', async () => {
  const zipped = gzipSync(`${printRowLine(everyType('a', 'b'))}\n`)
  const input = (async function* () {
    yield zipped.subarray(0, 60)
    throw Object.assign(new Error('the disk fails'), { code: 'EIO' })
  })()
  const rows = readRows({ input, signal }, { path: STANDARD, format: 'ndjson' })
  await expect(rows.next()).rejects.toMatchObject({ code: 'EIO', message: 'the disk fails' })
})

it.each(['ÿa', 'aþ', 'þa', 'aÿ'])('does not take %j in Latin-1 for UTF-16', async (start) => {
  const bytes = Buffer.from(`${start},PartitionKey,RowKey\nx,a,12\n`, 'latin1')
  await expect(read([bytes], 'csv')).rejects.toThrow('- is not UTF-8 text.')
})

it.each(['\u001fa', 'Ë'])('does not take %j for gzip', async (start) => {
  const bytes = Buffer.from(`${start},PartitionKey,RowKey\nx,a,1\n`)
  expect((await read([bytes], 'csv')).map(({ rowKey }) => rowKey)).toEqual(['1'])
})

it('keeps a byte order mark within the text, wherever that is cut', async () => {
  const [row] = await read(['PartitionKey,RowKey\n', '\ufeffa,1\n'], 'csv')
  expect(row?.partitionKey).toBe('\ufeffa')
})

it('reads a text of one byte', async () => {
  await expect(read([Buffer.from('x')], 'csv')).rejects.toThrow('No column is called PartitionKey')
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

it.each(['{"PartitionKey":"a","RowKey":"1"}', '{"PartitionKey":"\u2028","RowKey":"1"}\r'])(
  'yields a row as soon as its line is read, when the writer waits after it: %j',
  async (line) => {
    const input = (async function* () {
      yield Buffer.from(line)
      yield Buffer.from('\n')
      await new Promise(() => {})
    })()
    const rows = readRows({ input, signal }, { path: STANDARD, format: 'ndjson' })
    expect((await rows.next()).value?.row.rowKey).toBe('1')
  },
)

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

it('reads gzip from a file and from the standard input, cut anywhere, and counts bytes', async () => {
  const row = everyType('a', 'b')
  const zipped = gzipSync(`${printRowLine(row)}\n`)
  for (const at of [0, 1, 2, 60]) {
    const cut = [zipped.subarray(0, at), zipped.subarray(at)]
    expect((await read(cut, 'ndjson')).map(shown)).toEqual([shown(row)])
  }
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
