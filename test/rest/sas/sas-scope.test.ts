import { describe, expect, it } from 'vitest'
import { readSasScope } from '../../../packages/rest/src/sas/sas-scope.ts'

describe('readSasScope', () => {
  it('R-81: reads what a table SAS says', () => {
    const token =
      'sv=2019-02-02&tn=people&sp=ra&st=2021-09-21&se=2099-01-01T00:00Z&spr=https&spk=&srk=a%20b&epk=O%27Brien&sig=x'
    expect(readSasScope(token)).toEqual({
      start: Date.UTC(2021, 8, 21),
      expiry: Date.UTC(2099, 0),
      permissions: 'ra',
      protocol: 'https',
      table: 'people',
      range: {
        from: { partitionKey: '', rowKey: 'a b' },
        to: { partitionKey: "O'Brien", rowKey: undefined },
      },
      services: undefined,
      resourceTypes: undefined,
    })
  })

  it('R-81: reads what an account SAS says', () => {
    const scope = readSasScope('sv=2019-02-02&ss=tb&srt=co&sp=rl&se=2099-01-01&sig=x')
    expect(scope).toMatchObject({ services: 'tb', resourceTypes: 'co', permissions: 'rl' })
    expect(scope.range).toEqual({ from: undefined, to: undefined })
  })

  it('leaves open what is left to a policy, or not understood', () => {
    const scope = readSasScope('sv=2030-01-01&si=support&se=someday&sig=x')
    expect(Object.values(scope).filter((value) => value !== undefined)).toEqual([{}])
  })
})
