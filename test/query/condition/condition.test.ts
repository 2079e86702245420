import { booleanProperty, comparison, literalOf, printFilter } from '@rowkey/odata'
import { Condition, QueryError } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { nodeOf } from '../../../packages/query/src/condition/condition.ts'

const active = new Condition(booleanProperty('active'))
const adult = new Condition(comparison('age', 'ge', literalOf(18)))
const smith = comparison('PartitionKey', 'eq', literalOf('Smith'))
const text = (condition: Condition) => printFilter(condition.node)

describe('Condition', () => {
  it('joins with and, or and not, with parentheses where they are needed', () => {
    expect(text(active.and(adult))).toBe('active and age ge 18')
    expect(text(active.or(adult))).toBe('active or age ge 18')
    expect(text(active.or(adult).and(smith))).toBe(
      "(active or age ge 18) and PartitionKey eq 'Smith'",
    )
    expect(text(adult.and(active, smith))).toBe("age ge 18 and active and PartitionKey eq 'Smith'")
    expect(text(active.and(adult).not())).toBe('not (active and age ge 18)')
  })

  it('is left as it is by joining', () => {
    active.and(adult)
    expect(text(active)).toBe('active')
  })

  it('is itself when joined with nothing', () => {
    expect(text(active.and())).toBe('active')
    expect(text(active.or())).toBe('active')
  })

  it.each([true, false, null, undefined, 'age gt 30', {}, Promise.resolve(active)])(
    'refuses to join %o',
    (given) => {
      expect(() => active.and(given as never)).toThrow(QueryError)
      expect(() => active.or(given as never)).toThrow(QueryError)
      expect(() => nodeOf(given)).toThrow(/A condition was expected.*\.and, \.or and \.not/)
    },
  )
})
