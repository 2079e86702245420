import fc from 'fast-check'
import { DynamicEntity } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { randomSteps } from '../../support/random-steps.ts'
import { arbitraryRow, printCsv, read, shown } from './read-text.ts'

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

  it('reads a row that begins like that line, and leaves out lines of empty cells', async () => {
    const text = 'PartitionKey,RowKey,n\n#TYPE a,1,x\n,,\na,2,y\n'
    const rows = await read([text], 'csv')
    expect(rows.map(({ partitionKey, rowKey }) => [partitionKey, rowKey])).toEqual([
      ['#TYPE a', '1'],
      ['a', '2'],
    ])
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

  it('reads an empty cell of the type String as an empty text, and one of the type Null as none', async () => {
    const text = 'PartitionKey,RowKey,t,t@type\na,1,,String\na,2,,Null\na,3,,\n'
    const rows = await read([text], 'csv')
    expect(rows.map((row) => row.get('t')?.value)).toEqual(['', undefined, undefined])
  })

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
    [
      'PartitionKey,RowKey,n,n@type\na,1,x,Word\n',
      'line 2: "Word" of n@type is not a type. Types are Binary, ',
    ],
    ['PartitionKey,RowKey,b:Boolean\na,1,1\n', 'b is "1", which is not a valid Boolean'],
    ['PartitionKey,RowKey\na,1,x\n', 'line 2: The line has 3 cells, and the first line has 2.'],
    ['PartitionKey,RowKey,n:Int32\na,1,12x\n', 'line 2: n is "12x", which is not a valid Int32.'],
    [`PartitionKey,RowKey,n:Guid\na,1,${'x'.repeat(41)}\n`, `n is "${'x'.repeat(40)}…", which`],
    [`PartitionKey,RowKey,n:Guid\na,1,${'x'.repeat(40)}\n`, `n is "${'x'.repeat(40)}", which`],
    ['PartitionKey,RowKey,n:Int32,n:Int32\na,1,,2\n', 'line 1: Two columns are called n.'],
    ['Partitionkey,RowKey\na,1\n', 'line 1: No column is called PartitionKey. "Partitionkey" is'],
    ['PartitionKey\tRowKey\na\t1\n', 'line 1: No column is called PartitionKey. If tabs separate'],
    ['PartitionKey,RowKey,n\na,1,x\na,2,"x\ny\n\nz\n', 'line 3: Cell 3 begins with a quote'],
    ['PartitionKey,RowKey,n\na,1,"x\ny"z\n', 'line 2: Cell 3 has "z" after its closing quote'],
    ['PartitionKey,RowKey,n\na,1,x\na,2,x"y\n', 'line 3: Cell 3 has a quote within it'],
    ['PartitionKey,RowKey,n:Int32,n:Int64\na,1,,2\na,2,1,2\n', 'line 3: n has two values.'],
    ['PartitionKey,PartitionKey,RowKey\na,b,1\n', 'line 1: Two columns are called PartitionKey.'],
    ['PartitionKey,RowKey,RowKey:String\na,1,2\n', 'line 1: Two columns are called RowKey.'],
    ['PartitionKey,RowKey,,\na,1,,\na,2,,x\n', 'line 3: Column 4 has a value and no name.'],
    ['PartitionKey,RowKey\na,\n', 'PartitionKey and RowKey'],
    ['PartitionKey,RowKey\n,1\n', 'line 2: A row needs PartitionKey and RowKey'],
    [
      'PartitionKey,RowKey,n:Word\na,1,x\n',
      'line 1: "Word" of the heading "n:Word" is not a type.',
    ],
    ['a,b\n1,2\n', 'line 1: No column is called PartitionKey. The first line must have the names'],
    [
      'a|b,c\n1,2\n',
      'line 1: No column is called PartitionKey. The first line must have the names',
    ],
    [
      'PartitionKey;RowKey;n\na;1;2\n',
      'line 1: No column is called PartitionKey. If ";" separates',
    ],
    ['PartitionKey,Row Key\na,1\n', 'line 1: No column is called RowKey. "Row Key" is'],
    ['{"PartitionKey":"a","RowKey":"1"}\n', 'line 1: Cell 1 has a quote within it'],
  ])('names what cannot be read: %j', async (text, reason) => {
    await expect(read([text], 'csv')).rejects.toMatchObject({
      code: 'UnreadableInput',
      message: expect.stringContaining(reason),
    })
  })
})
