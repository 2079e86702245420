import { EntityAlreadyExistsError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { settleInsert } from '../../../packages/rest/src/truth/settle-insert.ts'
import { jeff } from '../people.ts'
import { aWitness, refusalOf, storedBefore, storedLately } from './a-witness.ts'

const conflict = refusalOf(409, 'EntityAlreadyExists')
const unknown = { outcome: 'unknown' }

describe('settleInsert', () => {
  it('takes an entity that is older than the call for the reason', async () => {
    const settlement = await settleInsert(conflict, jeff, aWitness(storedBefore({})))
    expect(settlement).toEqual({ outcome: 'refused', error: conflict })
  })

  it('takes the same content, stored since, for its own', async () => {
    expect(await settleInsert(conflict, jeff, aWitness(storedLately({})))).toEqual({
      outcome: 'applied',
      output: { etag: 'W/"1"', etagIsOwn: false },
    })
  })

  it("decides nothing by the same content as long as nobody knows the service's clock", async () => {
    const undated = { ...aWitness(storedLately({})), isDated: false }
    expect(await settleInsert(conflict, jeff, undated)).toEqual(unknown)
  })

  it('gives the entity back where an echo was asked for', async () => {
    const echo = { ...jeff, echo: true }
    const { raw } = storedLately({})
    expect(await settleInsert(conflict, echo, aWitness(storedLately({})))).toMatchObject({
      output: { raw },
    })
  })

  it('says of other content, stored since, that its own may have been there before', async () => {
    const settlement = await settleInsert(conflict, jeff, aWitness(storedLately({ n: 1 })))
    expect(settlement).toMatchObject({
      outcome: 'refused',
      error: {
        status: 409,
        code: 'EntityAlreadyExists',
        requestId: 'r',
        mayHaveApplied: true,
        message: expect.stringContaining('it may have been applied'),
      },
    })
    expect('error' in settlement && settlement.error).toBeInstanceOf(EntityAlreadyExistsError)
  })

  it('decides nothing by another refusal, or when the entity is gone again', async () => {
    const other = refusalOf(404, 'TableNotFound')
    expect(await settleInsert(other, jeff, aWitness(storedLately({})))).toEqual(unknown)
    expect(await settleInsert(conflict, jeff, aWitness(undefined))).toEqual(unknown)
  })
})
