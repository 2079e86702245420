import { checkPermission } from '../access/check-permission.ts'
import type { Answer } from '../answer/answer.ts'
import { jsonFaultAnswer } from '../answer/fault-answer.ts'
import { checkWritable } from '../call/check-writable.ts'
import { preferenceOf } from '../call/preference.ts'
import { type CallText, readCall } from '../call/read-call.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'
import { applyChanges, checkChangeCount, decodeChanges } from '../transaction/apply-change-set.ts'
import { readBatch } from '../transaction/read-change-set.ts'
import {
  type PartAnswer,
  writeChangeSetAnswer,
  writeQueryAnswer,
} from '../transaction/write-change-set-answer.ts'
import { chooseChange } from './choose-change.ts'
import { getEntity } from './get-entity.ts'
import { requestedTable } from './requested-table.ts'

/** Entity Group Transaction: `POST /$batch`. */
export async function entityGroupTransaction(service: Service, call: ServiceCall): Promise<Answer> {
  const newId = () => service.newId()
  const batch = readBatch(call)
  if (batch.kind === 'query') {
    return writeQueryAnswer(await answerQuery(service, call, batch.part), newId)
  }
  checkWritable(call)
  return writeChangeSetAnswer(await answerChanges(service, call, batch.parts), newId)
}

async function answerChanges(
  service: Service,
  batch: ServiceCall,
  parts: readonly CallText[],
): Promise<readonly PartAnswer[]> {
  let calls: readonly ServiceCall[] = []
  try {
    checkChangeCount(parts.length)
    calls = parts.map((part, index) => readPartCall(batch, part, index))
    const [first] = calls
    if (first === undefined) return []
    const table = await requestedTable(service, first).catch(prefixFirst)
    const answers = await applyChanges(service, table, decodeChanges(calls, chooseChange))
    return answers.map((answer, index) => ({ answer, call: calls[index] }))
  } catch (error) {
    return [refusal(service, batch, error, failedCall(error, calls))]
  }
}

/** One entity read by its key, alone in a batch. */
async function answerQuery(
  service: Service,
  batch: ServiceCall,
  part: CallText,
): Promise<PartAnswer> {
  let call: ServiceCall | undefined
  try {
    call = readPartCall(batch, part, 0)
    return { answer: await answerPointQuery(service, call).catch(prefixFirst), call }
  } catch (error) {
    return refusal(service, batch, error, call)
  }
}

async function answerPointQuery(service: Service, call: ServiceCall): Promise<Answer> {
  if (call.resource.kind !== 'entity') throw new ServiceFault('NotImplemented')
  return getEntity(service, call)
}

function readPartCall(batch: ServiceCall, part: CallText, index: number): ServiceCall {
  try {
    const call = readCall(batch, part)
    checkPermission(call)
    return call
  } catch (error) {
    throw error instanceof ServiceFault ? error.prefixed(index) : error
  }
}

function prefixFirst(error: unknown): never {
  throw error instanceof ServiceFault ? error.prefixed(0) : error
}

/** The change that a refusal is about, where it says so. */
function failedCall(error: unknown, calls: readonly ServiceCall[]): ServiceCall | undefined {
  const index = error instanceof ServiceFault ? error.index : undefined
  return index === undefined ? undefined : calls[index]
}

/** The one part of a transaction that failed. */
function refusal(
  service: Service,
  batch: ServiceCall,
  error: unknown,
  call: ServiceCall | undefined,
): PartAnswer {
  if (!(error instanceof ServiceFault)) throw error
  const preference = call === undefined ? undefined : preferenceOf(call)
  const headers = preference === undefined ? {} : { 'preference-applied': preference }
  const { requestId } = batch
  const context = { requestId, now: service.clock.now(), accept: call?.headers.accept }
  return { answer: jsonFaultAnswer(error.but({ headers }), context), call }
}
