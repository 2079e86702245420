import { describe, expect, it } from 'vitest'
import { withChecks } from '../../../packages/rest/src/checks/with-checks.ts'
import { tableSegment } from '../../../packages/rest/src/table/table-segment.ts'
import { contoso } from '../people.ts'

const lenient = withChecks(contoso, { tableNames: 'by the service' })

describe('tableSegment', () => {
  it('R-01: is the name, checked', () => {
    expect(tableSegment(contoso, 'people')).toBe('people')
    expect(() => tableSegment(contoso, 'my-people')).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })

  it.each([
    ['people', 'people'],
    ['my-people', 'my-people'],
    ["../x?y#'z", '..%2Fx%3Fy%23%27%27z'],
  ])('escapes %j when its check is left to the service', (name, segment) => {
    expect(tableSegment(lenient, name).replaceAll("'", '%27')).toBe(segment)
  })

  it.each(['', '\ud800', 5 as unknown as string])('refuses what no path can hold', (name) => {
    expect(() => tableSegment(lenient, name)).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })
})
