import { codecOf, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { loadedState } from '../../../packages/mapper/src/codec/loaded-state.ts'
import { readPart } from '../../../packages/mapper/src/codec/read-part.ts'
import { Customer } from '../customer.ts'

describe('readPart', () => {
  it('reads as the codec does, keeps what it keeps, and adds the mark', () => {
    const codec = codecOf(modelOf(Customer))
    const raw = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 39 }
    const part = readPart(codec, raw, 'e')
    expect(part).toMatchObject({ age: 39 })
    expect(loadedState(part)).toEqual({ ...loadedState(codec.read(raw, 'e')), projected: true })
  })
})
