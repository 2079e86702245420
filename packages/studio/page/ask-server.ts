import type { Failure } from '../src/server/wire.ts'
import { BASE } from './base.ts'

/** Thrown when the studio cannot answer. */
export class StudioFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.error.message)
    this.failure = failure
  }
}

/** The parameters of a request; absent ones are left out. */
export type Parameters = Readonly<Record<string, string | undefined>>

/** Prints the address of a request. */
export function addressOf(path: string, parameters: Parameters = {}): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => !!pair[1])
  const keys = Object.entries(parameters).filter(
    (pair): pair is [string, string] => pair[1] === '' && /^(?:partition|row)$/.test(pair[0]),
  )
  return `${BASE}api/${path}?${new URLSearchParams([...given, ...keys])}`
}

/** Asks the studio for data. */
export async function ask<Result>(
  path: string,
  parameters?: Parameters,
  signal?: AbortSignal,
): Promise<Result> {
  return answered(await fetch(addressOf(path, parameters), { signal: signal ?? null }))
}

/** Sends a change to the studio. */
export async function send<Result>(path: string, body: object): Promise<Result> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${BASE}api/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  }).catch(() => {
    throw new StudioFailure(GONE)
  })
  return answered(response)
}

const GONE: Failure = {
  error: {
    code: 'Gone',
    message: 'The studio does not answer. Start rowkey studio again, and open its new address.',
  },
}

async function answered<Result>(response: Response): Promise<Result> {
  if (response.status === 204) return undefined as Result
  const json = await response.json()
  if (response.ok) return json
  throw new StudioFailure(json)
}

/** Returns what failed, for people. */
export function failureOf(error: unknown): Failure {
  if (error instanceof StudioFailure) return error.failure
  return error instanceof TypeError
    ? GONE
    : { error: { code: 'Failed', message: error instanceof Error ? error.message : String(error) } }
}
