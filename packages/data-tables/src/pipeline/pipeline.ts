import { InputError } from '@rowkey/odata'
import type {
  AddPolicyOptions,
  HttpClient,
  Pipeline,
  PipelinePhase,
  PipelinePolicy,
  PipelineRequest,
  PipelineResponse,
  SendRequest,
} from './interfaces.ts'

interface Entry {
  readonly policy: PipelinePolicy
  readonly options: AddPolicyOptions
}

/** The phases in the order in which a request meets them; policies without a phase come second. */
const PHASES: readonly (PipelinePhase | undefined)[] = [
  'Serialize',
  undefined,
  'Deserialize',
  'Retry',
  'Sign',
]
/** A policy from here on sees every attempt. */
const FIRST_OF_ATTEMPT = 2 * PHASES.indexOf('Retry')

/** The policies of a client. */
export class PolicyPipeline implements Pipeline {
  #entries: readonly Entry[]

  /** @param entries - the first policies */
  constructor(entries: readonly Entry[] = []) {
    this.#entries = entries
  }

  /** @throws InputError for an unknown phase, and for two of them */
  addPolicy(policy: PipelinePolicy, options: AddPolicyOptions = {}): void {
    checkPhase(options)
    this.#entries = inOrder([...this.#entries, { policy, options }])
  }

  removePolicy({ name, phase }: { name?: string; phase?: PipelinePhase }): PipelinePolicy[] {
    const isMeant = ({ policy, options }: Entry) =>
      (name !== undefined && policy.name === name) ||
      (phase !== undefined && options.phase === phase)
    const removed = this.#entries.filter(isMeant)
    this.#entries = this.#entries.filter((entry) => !isMeant(entry))
    return removed.map(({ policy }) => policy)
  }

  sendRequest(httpClient: HttpClient, request: PipelineRequest): Promise<PipelineResponse> {
    const send: SendRequest = (last) => httpClient.sendRequest(last)
    return throughPolicies(this.getOrderedPolicies(), request, send)
  }

  getOrderedPolicies(): PipelinePolicy[] {
    return this.#entries.map(({ policy }) => policy)
  }

  clone(): Pipeline {
    return new PolicyPipeline(this.#entries)
  }

  /** The policies that see each call once. */
  get ofCalls(): readonly PipelinePolicy[] {
    return this.#policies((entry) => !isOfAttempt(entry))
  }

  /** The policies that see every attempt. */
  get ofAttempts(): readonly PipelinePolicy[] {
    return this.#policies(isOfAttempt)
  }

  #policies(isMeant: (entry: Entry) => boolean): readonly PipelinePolicy[] {
    return this.#entries.filter(isMeant).map(({ policy }) => policy)
  }
}

/**
 * Sends a request through policies.
 *
 * @param policies - the policies, the first one outermost
 * @param request - the request
 * @param send - sends it in the end
 */
export function throughPolicies(
  policies: readonly PipelinePolicy[],
  request: PipelineRequest,
  send: SendRequest,
): Promise<PipelineResponse> {
  const chain = policies.reduceRight<SendRequest>(
    (next, policy) => (inner) => policy.sendRequest(inner, next),
    send,
  )
  return chain(request)
}

function checkPhase({ phase, afterPhase = phase }: AddPolicyOptions): void {
  const isKnown = PHASES.includes(afterPhase)
  if (isKnown && (phase === undefined || phase === afterPhase)) return
  const message = isKnown
    ? 'A policy must have either a phase or an afterPhase, not both.'
    : `The phase '${afterPhase}' of a policy is unknown.`
  throw new InputError({ code: 'InvalidOptionValue', message })
}

/** Policies of the official client that see every attempt; others ask to come after them. */
const OF_ATTEMPTS: ReadonlySet<string> = new Set([
  'defaultRetryPolicy',
  'tracingPolicy',
  'redirectPolicy',
  'bearerTokenAuthenticationPolicy',
  'logPolicy',
])

/** The phase, and half a step later for a policy that only says after which phase it comes. */
function rankOf({ options: { phase, afterPhase, afterPolicies = [] } }: Entry): number {
  if (afterPolicies.some((name) => OF_ATTEMPTS.has(name))) return 2 * PHASES.length
  return afterPhase === undefined ? 2 * PHASES.indexOf(phase) : 2 * PHASES.indexOf(afterPhase) + 1
}

function isOfAttempt(entry: Entry): boolean {
  return rankOf(entry) >= FIRST_OF_ATTEMPT
}

/** Sorts by phase; within one, each policy moves only as far as its neighbours by name demand. */
function inOrder(entries: readonly Entry[]): readonly Entry[] {
  const left = [...entries].sort((one, other) => rankOf(one) - rankOf(other))
  const ordered: Entry[] = []
  while (left.length > 0) {
    const free = left.findIndex((entry) => !left.some((other) => precedes(other, entry)))
    ordered.push(...left.splice(Math.max(free, 0), 1))
  }
  return ordered
}

function precedes(other: Entry, entry: Entry): boolean {
  if (other === entry) return false
  return (
    entry.options.afterPolicies?.includes(other.policy.name) === true ||
    other.options.beforePolicies?.includes(entry.policy.name) === true
  )
}
