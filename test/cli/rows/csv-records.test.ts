import { describe, expect, it } from 'vitest'
import { read } from './read-text.ts'

describe('CSV', () => {
  it.each(['\n', '\r', '\r\n'])(
    'reads lines that end in %j, whatever other lines end in',
    async (end) => {
      const text = `PartitionKey,RowKey,n${end}a,1,"x\r\ny"${end}a,2,z\r\na,3,z\na,4,z`
      for (const chunks of [[text], [...text]]) {
        const rows = await read(chunks, 'csv')
        expect(rows.map((row) => row.get('n')?.value)).toEqual(['x\r\ny', 'z', 'z', 'z'])
      }
    },
  )

  it.each(['\n', '\r', '\r\n'])('counts lines that end in %j, cut anywhere', async (end) => {
    const text = `PartitionKey,RowKey,n:Int32,t${end}${end}a,1,1,"x\ny"${end}a,2,x,${end}`
    for (const chunks of [[text], [...text]]) {
      await expect(read(chunks, 'csv')).rejects.toThrow('-, line 5: n is "x"')
    }
  })

  it('reads lines that end differently, cut anywhere', async () => {
    const text = 'PartitionKey,RowKey\ra,1\na,2\r\na,3\r\ra,4\n\na,5'
    for (let at = 0; at <= text.length; at++) {
      const rows = await read([text.slice(0, at), text.slice(at)], 'csv')
      expect(rows.map(({ rowKey }) => rowKey)).toEqual(['1', '2', '3', '4', '5'])
    }
  })

  it.each([
    ['that is quoted', (chunk: string) => [`"${chunk}`, ...Array(16).fill(chunk)]],
    ['that is not quoted', (chunk: string) => Array(17).fill(chunk)],
    ['among many', (chunk: string) => Array(16_385).fill(`${chunk.slice(0, 1023)},`)],
  ])('rejects a line that is longer than any row, with a cell %s', async (_, chunksOf) => {
    const chunks = chunksOf('x'.repeat(1024 * 1024))
    await expect(read(['PartitionKey,RowKey\n', ...chunks], 'csv')).rejects.toMatchObject({
      code: 'UnreadableInput',
      message: '-, line 2: The line is longer than any row.',
    })
  })
})
