import { isRowkeyError } from '@rowkey/odata'
import { AmbiguousWriteError } from '@rowkey/rest'
import { type CallKind, isConditional } from './simulated-calls.ts'

/** What a simulation found that breaks the contract, or lies in its documented limits. */
export const findings = {
  'false success': 'A call succeeded, and its write was never applied.',
  'applied twice': 'A write was applied twice.',
  'false failure': 'A call said that its write was not applied, and it was.',
  'false resolution': 'resolve() said something untrue.',
  'needless doubt':
    'The outcome of an exact write stayed unknown although the service could be reached.',
  'impossible read': 'A read returned a state that the row did not have during the call.',
  'unexpected error': 'A call rejected with an error that callers cannot handle.',
  'wrong table': 'The table differs from what the applied writes make of it.',
  'not finished': 'After the faults stopped, a call failed.',
  'changed outcome': 'A repetition by its key had another outcome than the call.',
  'left behind': 'A call left a timer or a listener, or the sweep left a marker.',
} as const

/** A broken rule. */
export type Finding = keyof typeof findings

/** Documented limits of writes that are not exact: they are counted, and no violation. */
export type KnownLimit =
  | 'equal content of another client'
  | 'inserted again after a delete'
  | 'repeated without harm'
  | 'applied after the rejection'
  | 'deleted by another client'
  | 'undone before resolve()'
  | 'repeated by a proxy'

/** A call that has ended, and how often its write was applied. */
export interface EndedCall {
  readonly kind: CallKind
  readonly isExact: boolean
  readonly error: unknown
  /** What a delete of an entity that may be missing returned. */
  readonly deleted?: boolean | undefined
  /** How often the write was applied when the call ended. */
  readonly appliedThen: number
  /** How often it was applied in the end. */
  readonly applied: number
  /** Whether a proxy sent a request of the call twice. */
  readonly isRepeated: boolean
  /** What resolve() of an AmbiguousWriteError said in the end. */
  readonly resolved: string | undefined
}

/** Judges an ended write; `undefined` when what the caller learned is true. */
export function judgeCall(call: EndedCall): Finding | KnownLimit | undefined {
  const { error } = call
  if (!isExpected(error)) return 'unexpected error'
  if (error instanceof AmbiguousWriteError) return judgeResolution(call)
  if (error === undefined) return judgeSuccess(call)
  const { mayHaveApplied }: { readonly mayHaveApplied?: unknown } = Object(error)
  return mayHaveApplied === true ? judgeRepetition(call) : judgeRejection(call)
}

/** The caller learned that its write was not applied. */
function judgeRejection(call: EndedCall): Finding | KnownLimit | undefined {
  if (call.applied === 0) return undefined
  if (call.isExact) return 'false failure'
  if (call.isRepeated) return 'repeated by a proxy'
  if (call.appliedThen > 0) return 'false failure'
  return 'applied after the rejection'
}

function judgeSuccess(call: EndedCall): Finding | KnownLimit | undefined {
  if (call.deleted === false) return judgeRejection(call)
  if (call.applied > 0) return judgeRepetition(call)
  if (call.isExact) return 'false success'
  if (call.kind === 'insert lock') return 'equal content of another client'
  return isDeletion(call) ? 'deleted by another client' : 'false success'
}

/** A write that is not exact may be applied by several of its attempts. */
function judgeRepetition({ kind, isExact, applied }: EndedCall): Finding | KnownLimit | undefined {
  if (applied < 2) return undefined
  if (isExact || isConditional(kind)) return 'applied twice'
  const isInsert = kind.startsWith('insert') && !kind.startsWith('insertOr')
  return isInsert || kind === 'batch of inserts'
    ? 'inserted again after a delete'
    : 'repeated without harm'
}

function judgeResolution(call: EndedCall): Finding | KnownLimit | undefined {
  const { kind, isExact, applied, resolved } = call
  if (isExact) {
    if (applied > 1) return 'applied twice'
    if (resolved !== 'applied' && resolved !== 'not applied') return 'needless doubt'
    return (resolved === 'applied') === (applied === 1) ? undefined : 'false resolution'
  }
  const isFalse =
    (resolved === 'applied' && applied === 0) || (resolved === 'not applied' && applied > 0)
  if (!isFalse) return judgeRepetition(call)
  if (resolved === 'not applied') return 'undone before resolve()'
  if (kind === 'insert lock') return 'equal content of another client'
  return isDeletion(call) ? 'deleted by another client' : 'false resolution'
}

function isDeletion({ kind }: EndedCall): boolean {
  return kind === 'delete *' || kind === 'deleteIfExists'
}

/** Every error that a call may reject with has a code that is documented. */
export function isExpected(error: unknown): boolean {
  return error === undefined || isRowkeyError(error)
}
