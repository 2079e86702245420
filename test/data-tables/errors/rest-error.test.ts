import { RestError } from '@rowkey/data-tables'
import { ServiceError } from '@rowkey/rest'
import { expect, it } from 'vitest'

it('has the status and code of the service where the official client has them', () => {
  const cause = new ServiceError({
    message: 'insertEntity of table people failed: It exists. (409 EntityAlreadyExists)',
    status: 409,
    code: 'EntityAlreadyExists',
    requestId: '1',
    operation: 'insertEntity',
    mayHaveApplied: false,
  })
  const error = new RestError(cause)
  expect(error).toMatchObject({
    name: 'RestError',
    statusCode: 409,
    code: 'EntityAlreadyExists',
    details: { odataError: { code: 'EntityAlreadyExists' } },
    cause,
  })
  const { message } = cause
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'RestError',
    code: 'EntityAlreadyExists',
    message,
    statusCode: 409,
    details: {
      odataError: { code: 'EntityAlreadyExists', message: { lang: 'en-US', value: message } },
    },
  })
})
