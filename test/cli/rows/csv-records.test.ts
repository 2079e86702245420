import { describe, expect, it } from 'vitest'
import { read } from './read-text.ts'

describe('CSV', () => {
  it.each(['\n', '\r', '\r\n'])(
    'reads lines that end in %j, whatever other lines end in',
    async (end) => {
      const text = `PartitionKey,RowKey,n${end}a,1,"x\r\ny"${end}a,2,z\r\na,3,z\na,4,z`
      const rows = await read([...text], 'csv')
      expect(rows.map((row) => row.get('n')?.value)).toEqual(['x\r\ny', 'z', 'z', 'z'])
    },
  )
})
