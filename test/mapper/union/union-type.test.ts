import { key, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import {
  beginningOf,
  canBeBoth,
  hasBeginning,
  UnionType,
} from '../../../packages/mapper/src/union/union-type.ts'
import { Customer, Order, User } from './store.ts'

const customers = new UnionType(modelOf(Customer))
const orders = new UnionType(Order)

describe('UnionType', () => {
  it('recognizes its rows by the beginning of both keys', () => {
    expect(orders.hasRow({ PartitionKey: 'c1', RowKey: '0002_00000007' })).toBe(true)
    expect(orders.hasRow({ PartitionKey: 'c1', RowKey: '0001_c1' })).toBe(false)
    expect(orders.hasRow({ PartitionKey: 'c1' })).toBe(false)
  })

  it('knows which other types overlap with it', () => {
    expect(orders.overlaps(customers)).toBe(false)
    expect(orders.overlaps(orders)).toBe(true)
  })

  it('describes in messages how its rows are recognized', () => {
    expect(String(orders)).toBe('orders (RowKey 0002_…)')
    expect(String(new UnionType(User))).toBe('User (EntityType User, RowKey self)')
  })
})

describe('beginningOf', () => {
  it('returns the fixed text before the first part', () => {
    expect(beginningOf(key`0002_${'no:8'}_x`)).toEqual({ text: '0002_', isWhole: false })
  })

  it('returns an empty text for a key that begins with a part', () => {
    expect(beginningOf(key`${'no:8'}_x`)).toEqual({ text: '', isWhole: false })
  })

  it('returns the whole key when it has no parts', () => {
    expect(beginningOf(key`profile`)).toEqual({ text: 'profile', isWhole: true })
  })
})

describe('hasBeginning', () => {
  it('matches longer keys unless the beginning is the whole key', () => {
    expect(hasBeginning('ab', { text: 'a', isWhole: false })).toBe(true)
    expect(hasBeginning('ab', { text: 'a', isWhole: true })).toBe(false)
    expect(hasBeginning('b', { text: 'a', isWhole: false })).toBe(false)
    expect(hasBeginning(undefined, { text: '', isWhole: false })).toBe(false)
  })
})

describe('canBeBoth', () => {
  it.each([
    [key`a${'x'}`, key`b${'x'}`, false],
    [key`a${'x'}`, key`ab${'x'}`, true],
    [key`ab${'x'}`, key`a${'x'}`, true],
    [key`${'x'}`, key`b${'x'}`, true],
    [key`a`, key`ab${'x'}`, false],
    [key`abc`, key`ab${'x'}`, true],
    [key`ab${'x'}`, key`abc`, true],
    [key`ab${'x'}`, key`a`, false],
    [key`a`, key`a`, true],
    [key`a`, key`ab`, false],
  ])('%s and %s: %s', (one, other, both) => {
    expect(canBeBoth(beginningOf(one), beginningOf(other))).toBe(both)
  })
})
