import { describe, expect, it } from 'vitest'
import { scanOptions, tableOptions } from '../../../packages/mapper/src/table/table-options.ts'

describe('tableOptions', () => {
  it('are a name, or a name and more, over what the account says', () => {
    const inherited = { scans: 'none' } as const
    expect(tableOptions('people', inherited)).toEqual({ name: 'people', scans: 'none' })
    expect(tableOptions({ name: 'people' }, inherited)).toEqual({ name: 'people', scans: 'none' })
    expect(tableOptions({ scans: 'tableScan' }, inherited).scans).toBe('tableScan')
    expect(tableOptions(undefined, inherited)).toEqual({ name: undefined, scans: 'none' })
  })

  it('reject unknown options by name', () => {
    expect(() => tableOptions({ scan: 'none' } as object, {})).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
  })

  it.each([null, 5, true])('reject %j', (given) => {
    expect(() => tableOptions(given as never, {})).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })
})

describe('scanOptions', () => {
  it('inherit the policy of the account by default', () => {
    expect(scanOptions({}, { scans: 'partitionScan' })).toEqual({ scans: 'partitionScan' })
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
