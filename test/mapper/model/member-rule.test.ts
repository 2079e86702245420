import { describe, expect, it } from 'vitest'
import {
  mergeRules,
  overlayRule,
  overrideRule,
} from '../../../packages/mapper/src/model/member-rule.ts'

describe('mergeRules', () => {
  it('keeps a first rule unchanged', () => {
    const rule = { decorators: ['Property'] as const, type: 'Int64' as const }
    expect(mergeRules(undefined, rule)).toBe(rule)
  })

  it('combines the decorators of one member, each once', () => {
    const merged = mergeRules(
      { decorators: ['Property'], type: 'String' },
      { decorators: ['StoreAs', 'Property'], storedName: 'cea' },
    )
    expect(merged.decorators).toEqual(['Property', 'StoreAs'])
    expect(merged).toMatchObject({ type: 'String', storedName: 'cea' })
  })
})

describe('mergeRules with two decorators that contradict each other', () => {
  const decorators = ['StoreAs'] as const

  it('records a conflict, and keeps it beside further decorators', () => {
    const twice = mergeRules({ decorators, storedName: 'b' }, { decorators, storedName: 'a' })
    const all = mergeRules(twice, { decorators: ['Property'], type: 'Guid' })
    expect(all.conflict).toBe("@StoreAs gives it two stored names, 'a' and 'b'")
    expect(overrideRule(all, { decorators: ['Property'] }).conflict).toBe(all.conflict)
  })

  it('accepts the same decorator twice', () => {
    const rule = mergeRules({ decorators, storedName: 'a' }, { decorators, storedName: 'a' })
    expect(rule.conflict).toBeUndefined()
  })

  it('sees no conflict when a subclass overrides a rule', () => {
    const [base, own] = [
      { decorators, storedName: 'a' },
      { decorators, storedName: 'b' },
    ]
    for (const rule of [overrideRule(base, own), overlayRule(base, own)]) {
      expect([rule.storedName, rule.conflict]).toEqual(['b', undefined])
    }
  })
})

describe('overrideRule', () => {
  it('adds the decorators of a subclass to those of its base', () => {
    const rule = overrideRule(
      { decorators: ['StoreAs'], storedName: 'cea' },
      { decorators: ['Property'], type: 'Guid' },
    )
    expect(rule).toMatchObject({ storedName: 'cea', type: 'Guid' })
  })

  it('lets @Ignore remove the decorators of the base class', () => {
    const rule = overrideRule({ decorators: ['PartitionKey'] }, { decorators: ['Ignore'] })
    expect(rule.decorators).toEqual(['Ignore'])
  })

  it('lets any other decorator remove the @Ignore of the base class', () => {
    const rule = overrideRule({ decorators: ['Ignore'] }, { decorators: ['Property'] })
    expect(rule.decorators).toEqual(['Property'])
  })
})
