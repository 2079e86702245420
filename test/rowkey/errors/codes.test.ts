import * as rowkey from 'rowkey'
import { describe, expect, it } from 'vitest'
import { rowkeyErrorCodes, rowkeyInputError } from '../../../packages/rowkey/src/errors/codes.ts'

describe('rowkeyErrorCodes', () => {
  it.each(Object.entries(rowkeyErrorCodes))('names an exported class for %s', (code, entry) => {
    expect(rowkey).toHaveProperty(entry.class)
    expect(rowkeyInputError({ code: code as 'InvalidTarget', message: '…' })).toMatchObject({
      name: entry.class,
      code,
    })
  })

  it.each(Object.entries(rowkeyErrorCodes))('says in sentences when %s occurs', (_, entry) => {
    expect(entry.when).toMatch(/\.$/)
    expect(entry.fix).toMatch(/\.$/)
  })
})
