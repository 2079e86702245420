import type { ServiceCall } from '../call/service-call.ts'

/** What a shared access signature must allow for a call. */
export interface NeededPermission {
  /** The service itself, containers (tables), or objects (rows). */
  readonly type: 's' | 'c' | 'o'
  /** All of these are needed; of a group such as `cw` any one letter will do. */
  readonly letters: readonly string[]
}

/** What a call needs; `undefined` when no shared access signature can ever allow it. */
export function neededPermission(call: ServiceCall): NeededPermission | undefined {
  if (call.query.get('comp') === 'acl') return undefined
  switch (call.resource.kind) {
    case 'account':
      return { type: 's', letters: [call.method === 'GET' ? 'r' : 'w'] }
    case 'tables':
      return { type: 'c', letters: [call.method === 'GET' ? 'l' : 'cw'] }
    case 'table':
      return { type: 'c', letters: [call.method === 'GET' ? 'l' : 'd'] }
    case 'entities':
    case 'entity':
      return { type: 'o', letters: entityLetters(call) }
    case 'batch':
      return undefined
  }
}

function entityLetters({ method, headers }: ServiceCall): readonly string[] {
  switch (method) {
    case 'GET':
      return ['r']
    case 'POST':
      return ['a']
    case 'DELETE':
      return ['d']
    default:
      return headers['if-match'] === undefined ? ['a', 'u'] : ['u']
  }
}
