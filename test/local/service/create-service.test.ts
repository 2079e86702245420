import { InputError } from '@rowkey/odata'
import { DEVELOPMENT_ACCOUNT } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { createService } from '../../../packages/local/src/service/create-service.ts'

describe('createService', () => {
  it('knows the account of emulators, real time and new ids when told nothing', () => {
    const service = createService({})
    expect([...service.accounts.keys()]).toEqual([DEVELOPMENT_ACCOUNT])
    expect(service.newId()).not.toBe(service.newId())
    expect(Math.abs(service.clock.now() - Date.now())).toBeLessThan(60_000)
  })

  it.each([{ keepNameFor: -1 }, { keepNameFor: Number.NaN }, { keepNameFor: 1, for: 2 }])(
    'R-25: refuses the tableDeletion %o',
    (tableDeletion) => {
      expect(() => createService({ tableDeletion })).toThrow(InputError)
    },
  )

  it.each(['bearer', 'newId', 'now', 'onInternalError', 'pause', 'random'])(
    'refuses a %s that is no function, before it is called',
    (name) => {
      expect(() => createService({ [name]: 5 })).toThrow(`${name} of localTableService`)
      expect(() => createService({ [name]: null })).toThrow(InputError)
    },
  )

  it('emits what went wrong as a warning of the process when nobody else wants to know', async () => {
    const warned = new Promise((resolve) => process.once('warning', resolve))
    const failure = new RangeError('broken')
    createService({}).report(failure)
    expect(await warned).toBe(failure)
  })
})
