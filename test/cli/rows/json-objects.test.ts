import { describe, expect, it } from 'vitest'
import { read } from './read-text.ts'

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
      'pages one after the other',
      rows.map((row) => `{"odata.metadata":"x","value":[${row}],"more":[]}`).join('\n'),
    ],
    ['an array and an object after it', `[${rows[0]}]\n${rows[1]}`],
    [
      'formatted objects',
      rows.map((row) => row.replaceAll(',"', ',\n  "').replace('{', '{\n  ')).join(),
    ],
  ])('reads %s, cut anywhere', async (_, text) => {
    const apart = [...text].flatMap((character) => [character, ''])
    for (const chunks of [[text], [...text], apart]) {
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
    [
      '[\n{"PartitionKey":"a","RowKey":"1"},\n{"PartitionKey":"a"}]',
      'line 3, column 1: A row needs',
    ],
    [
      '{"value":[{"PartitionKey":"a","RowKey":"1"}, {"PartitionKey":"a"}]}',
      'line 1, column 46: A row needs',
    ],
    ['[1]', 'line 1, column 2: This is not the JSON of rows'],
    ['\n ["a"]', 'line 2, column 3: This is not the JSON of rows'],
    ['[[]]', 'line 1, column 2: This is not the JSON of rows'],
    ['nothing', 'line 1, column 1: This is not the JSON of rows'],
    ['[\n {\n"PartitionKey":"a"', 'line 2, column 2: The text ends within its JSON.'],
    ['[\n\n', 'line 3, column 1: The text ends within its JSON.'],
    ['{"value":[{"PartitionKey":"a","RowKey":"1"}', 'line 1, column 44: The text ends within'],
    [']', 'line 1, column 1: The JSON closes more than it opens.'],
    ['[{"PartitionKey":"a","RowKey":"1",}]', 'line 1, column 2: The text is not JSON.'],
    ['{"value":{"PartitionKey":"a","RowKey":"1"}}', 'line 1, column 1: A row needs'],
    ['{"a":{"value":[{"PartitionKey":"a","RowKey":"1"}]}}', 'line 1, column 1: A row needs'],
    ['{"PartitionKey":"a","RowKey":"1","n":{"n":1}}', 'line 1, column 1: The stored property "n"'],
    [
      '{"value":[{"PartitionKey":"a","RowKey":"1"}},\n{"RowKey":"2"}]',
      'line 2, column 2: This is not the JSON of rows',
    ],
    [
      `[{"a":"${'x'.repeat(17 * 1024 * 1024)}`,
      'line 1, column 2: The object is longer than any row.',
    ],
  ])('names the place that cannot be read, cut anywhere, case %#', async (text, reason) => {
    for (const chunks of text.length > 100 ? [[text]] : [[text], [...text]]) {
      await expect(read(chunks, 'json')).rejects.toMatchObject({
        code: 'UnreadableInput',
        message: expect.stringContaining(reason),
      })
    }
  })
})
