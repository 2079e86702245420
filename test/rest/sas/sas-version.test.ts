import { describe, expect, it } from 'vitest'
import { checkSasVersion } from '../../../packages/rest/src/sas/sas-version.ts'

describe('checkSasVersion', () => {
  it.each(['2012-02-12', '2015-04-05', '2026-02-06'])('R-73: takes %s', (version) => {
    expect(checkSasVersion(version, '2012-02-12')).toBe(version)
  })

  it.each(['2011-08-18', '2019-2-2', '2019-13-01', '2019-02-02&sp=raud', '', 7])(
    'refuses %j',
    (version) => {
      expect(() => checkSasVersion(version as string, '2012-02-12')).toThrow(
        expect.objectContaining({ code: 'InvalidSas' }),
      )
    },
  )
})
