import { isRowkeyError } from '@rowkey/odata'
import { ETagMismatchError, mergeEntity, perform, ServiceError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

describe('ETagMismatchError', () => {
  it('is a ServiceError, with the status and the code of the service', async () => {
    const body = '{"odata.error":{"code":"UpdateConditionNotSatisfied","message":{"value":"No."}}}'
    const service = serviceOver(scriptedTransport({ status: 412, body }))
    const error = await perform(service, mergeEntity, { ...jeff, etag: '*' }).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(ETagMismatchError)
    expect(error).toBeInstanceOf(ServiceError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'ETagMismatchError',
      status: 412,
      code: 'UpdateConditionNotSatisfied',
    })
  })
})
