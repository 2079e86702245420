import { describe, expect, it } from 'vitest'
import { printEntityPath, printTablePath } from '../../../packages/local/src/entity/encode-table.ts'

describe('printEntityPath', () => {
  it('encodes keys as the service was recorded to', () => {
    const key = { partitionKey: "a-ô-'-%20", rowKey: 'x' }
    expect(printEntityPath('people', key)).toBe(
      "people(PartitionKey='a-%C3%B4-''-%2520',RowKey='x')",
    )
  })
})

describe('printTablePath', () => {
  it('prints the address of the table', () => {
    expect(printTablePath('people')).toBe("Tables('people')")
  })
})
