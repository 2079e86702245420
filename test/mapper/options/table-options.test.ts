import { describe, expect, it } from 'vitest'
import {
  scanOptions,
  type TableOptions,
  tableOptions,
} from '../../../packages/mapper/src/options/table-options.ts'

describe('tableOptions', () => {
  it('are a name, or a name and more, over what the account says', () => {
    const read = (given: string | TableOptions) => ({ scans: 'none', ...tableOptions(given) })
    expect(read('people')).toEqual({ name: 'people', scans: 'none' })
    expect(read({ name: 'people' })).toEqual({ name: 'people', scans: 'none' })
    expect(read({ name: 'people', scans: undefined })).toEqual({ name: 'people', scans: 'none' })
    expect(read({ scans: 'tableScan' }).scans).toBe('tableScan')
  })

  it('reject unknown options by name', () => {
    expect(() => tableOptions({ scan: 'none' } as object)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
  })

  it.each([null, 5, true])('reject %j', (given) => {
    expect(() => tableOptions(given as never)).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })
})

describe('scanOptions', () => {
  it('leave the policy of the account by default', () => {
    expect(scanOptions({ scans: 'partitionScan' })).toEqual({ scans: 'partitionScan' })
    expect(scanOptions({ scans: undefined })).toEqual({})
  })

  it('reject an invalid scan policy', () => {
    expect(() => scanOptions({ scans: 'all' as never })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
    expect(() => scanOptions('none' as never)).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
    expect(() => scanOptions({ name: 'people' } as object)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
  })
})
