import {
  type PipelinePolicy,
  type PipelineRequest,
  RestError,
  TableClient,
  type TableServiceClientOptions,
} from '@rowkey/data-tables'
import { startLocalService } from '@rowkey/local'
import { describe, expect, it } from 'vitest'
import { httpHeaders } from '../../../packages/data-tables/src/pipeline/http-headers.ts'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

/** Opens the table with a policy at a position, or with an HTTP client. */
async function openWith(added: TableServiceClientOptions) {
  const opened = await openPeople()
  const text = opened.local.connectionString()
  const options = { ...opened.options, retryOptions: { retryDelayInMs: 0 }, ...added }
  return { ...opened, client: TableClient.fromConnectionString(text, 'people', options) }
}

describe.each(['perCall', 'perRetry'] as const)('a policy with the position %s', (position) => {
  it('sees and changes requests, and sees responses', async () => {
    const seen: unknown[] = []
    const policy: PipelinePolicy = {
      name: 'seeing',
      async sendRequest(request, next) {
        request.headers.set('x-custom', 'value')
        request.headers.set('User-Agent', `${request.headers.get('user-agent')} shop`)
        const response = await next(request)
        expect(response.request).toBe(request)
        seen.push([request.method, request.url.split('/').at(-1), response.status])
        return response
      },
    }
    const { client, sent } = await openWith({ additionalPolicies: [{ policy, position }] })
    await client.createEntity(row)
    await client.getEntity('p', 'r')
    await client.updateEntity({ ...row, n: 2 }, 'Merge')
    const entity = "people(PartitionKey='p',RowKey='r')"
    expect(seen).toEqual([
      ['POST', 'people', 204],
      ['GET', entity, 200],
      ['PATCH', entity, 204],
    ])
    expect(sent.map(({ headers }) => headers['x-custom'])).toEqual(['value', 'value', 'value'])
    expect(sent[0]?.headers['user-agent']).toMatch(/^rowkey\/.* shop$/)
  })

  it('may respond by itself, and may fail', async () => {
    let failing = false
    const policy: PipelinePolicy = {
      name: 'responding',
      async sendRequest(request, next) {
        if (failing) throw new TypeError('the policy failed')
        const response = await next({ ...request, url: request.url.replace('missing', 'r') })
        return { ...response, request }
      },
    }
    const { client, people } = await openWith({})
    await people.createEntity({ ...row, n: 1 })
    const { bodyAsText, headers } = await responseTo(people)
    client.pipeline.addPolicy(
      {
        ...policy,
        sendRequest: async (request) => ({ request, status: 200, headers, bodyAsText }),
      },
      position === 'perCall' ? {} : { afterPhase: 'Sign' },
    )
    expect(await client.getEntity('p', 'r')).toMatchObject({ n: 1 })
    client.pipeline.removePolicy({ name: 'responding' })
    failing = true
    client.pipeline.addPolicy(policy, position === 'perCall' ? {} : { phase: 'Retry' })
    await expect(client.getEntity('p', 'r')).rejects.toThrow(/failed/)
  })
})

it('a policy of calls receives the errors of the service as its caller does', async () => {
  const errors: unknown[] = []
  const policy: PipelinePolicy = {
    name: 'counting',
    sendRequest: (request, next) =>
      next(request).catch((error: unknown) => {
        errors.push(error)
        throw error
      }),
  }
  const { client } = await openWith({ additionalPolicies: [{ policy, position: 'perCall' }] })
  await expect(client.getEntity('p', 'r')).rejects.toThrow(RestError)
  expect(errors).toEqual([expect.objectContaining({ name: 'RestError', statusCode: 404 })])
})

it('a policy may replace the body of a request', async () => {
  const policy: PipelinePolicy = {
    name: 'replacing',
    sendRequest: (request, next) =>
      next({ ...request, body: String(request.body).replace('Jones', 'Smith') }),
  }
  const { client } = await openWith({ additionalPolicies: [{ policy, position: 'perCall' }] })
  await client.createEntity({ ...row, name: 'Jones' })
  expect(await client.getEntity('p', 'r')).toMatchObject({ name: 'Smith' })
})

/** The response to a read, as `onResponse` receives it. */
async function responseTo(people: TableClient) {
  const responses: { bodyAsText: string; headers: PipelineRequest['headers'] }[] = []
  await people.getEntity('p', 'r', {
    onResponse: ({ bodyAsText, headers }) =>
      responses.push({ bodyAsText: bodyAsText ?? '', headers }),
  })
  return responses[0]!
}

it('a policy of calls sees a call once, a policy of attempts every attempt', async () => {
  const seen: string[] = []
  const seeing = (name: string): PipelinePolicy => ({
    name,
    async sendRequest(request, next) {
      seen.push(name)
      return next(request)
    },
  })
  let requests = 0
  const { client, local } = await openWith({
    additionalPolicies: [
      { policy: seeing('call'), position: 'perCall' },
      { policy: seeing('attempt'), position: 'perRetry' },
    ],
    transport: async (request, limits) =>
      ++requests < 3 ? { status: 503, headers: {}, body: '' } : local.transport(request, limits),
  })
  expect(await client.listEntities().next()).toEqual({ done: true, value: undefined })
  expect(seen).toEqual(['call', 'attempt', 'attempt', 'attempt'])
})

it('an HTTP client sends the requests', async () => {
  const seen: PipelineRequest[] = []
  const service = await startLocalService({ port: 0 })
  const client = TableClient.fromConnectionString(service.connectionString, 'people', {
    agent: 'the agent',
    tlsOptions: { ca: 'the authority' },
    httpClient: {
      async sendRequest(request) {
        seen.push(request)
        const { url, method, headers, body } = request
        const response = await fetch(url, { method, headers: headers.toJSON(), body: body ?? null })
        return {
          request,
          status: response.status,
          headers: httpHeaders(Object.fromEntries(response.headers)),
          bodyAsText: await response.text(),
        }
      },
    },
  })
  await client.createTable()
  await client.createEntity({ ...row, n: 1 })
  expect(await client.getEntity('p', 'r')).toMatchObject({ n: 1 })
  expect(seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET'])
  expect(seen[0]).toMatchObject({ agent: 'the agent', tlsSettings: { ca: 'the authority' } })
  await service.close()
})
