import type { PipelinePolicy } from '@rowkey/data-tables'
import { describe, expect, it } from 'vitest'
import { PolicyPipeline } from '../../../packages/data-tables/src/pipeline/pipeline.ts'

const named = (name: string): PipelinePolicy => ({
  name,
  sendRequest: (request, next) => next(request),
})

describe('a pipeline', () => {
  it('orders policies by their phases, and by their neighbours', () => {
    const pipeline = new PolicyPipeline()
    pipeline.addPolicy(named('attempt'), { afterPhase: 'Sign' })
    pipeline.addPolicy(named('call'))
    pipeline.addPolicy(named('sign'), { phase: 'Sign' })
    pipeline.addPolicy(named('first'), { beforePolicies: ['call'] })
    pipeline.addPolicy(named('parse'), { phase: 'Deserialize' })
    pipeline.addPolicy(named('print'), { phase: 'Serialize' })
    pipeline.addPolicy(named('last'), { afterPolicies: ['call', 'unknown'] })
    const names = pipeline.getOrderedPolicies().map(({ name }) => name)
    expect(names).toEqual(['print', 'first', 'call', 'last', 'parse', 'sign', 'attempt'])
    const ofCalls = pipeline.ofCalls.map(({ name }) => name)
    expect(ofCalls).toEqual(['print', 'first', 'call', 'last', 'parse'])
    expect(pipeline.ofAttempts.map(({ name }) => name)).toEqual(['sign', 'attempt'])
  })

  it('knows which policies of the official client see every attempt', () => {
    const pipeline = new PolicyPipeline()
    pipeline.addPolicy(named('attempt'), { afterPolicies: ['defaultRetryPolicy'] })
    pipeline.addPolicy(named('call'), { beforePolicies: ['defaultRetryPolicy'] })
    expect(pipeline.ofCalls.map(({ name }) => name)).toEqual(['call'])
    expect(pipeline.ofAttempts.map(({ name }) => name)).toEqual(['attempt'])
  })

  it('rejects an unknown phase, and two of them', () => {
    const pipeline = new PolicyPipeline()
    const add = (options: object) => () => pipeline.addPolicy(named('one'), options)
    expect(add({ phase: 'Retries' })).toThrow(/phase 'Retries' of a policy is unknown/)
    expect(add({ afterPhase: 'sign' })).toThrow(/phase 'sign'/)
    expect(add({ phase: 'Retry', afterPhase: 'Sign' })).toThrow(/not both/)
    expect(pipeline.getOrderedPolicies()).toEqual([])
  })

  it('keeps both of two policies that each want to be first', () => {
    const pipeline = new PolicyPipeline()
    pipeline.addPolicy(named('one'), { beforePolicies: ['two'] })
    pipeline.addPolicy(named('two'), { beforePolicies: ['one'] })
    expect(pipeline.getOrderedPolicies()).toHaveLength(2)
  })

  it('removes policies by name or phase, and a clone keeps its own', () => {
    const pipeline = new PolicyPipeline()
    pipeline.addPolicy(named('one'))
    pipeline.addPolicy(named('two'), { phase: 'Retry' })
    const clone = pipeline.clone()
    expect(pipeline.removePolicy({ name: 'one' }).map(({ name }) => name)).toEqual(['one'])
    expect(pipeline.removePolicy({ phase: 'Retry' }).map(({ name }) => name)).toEqual(['two'])
    expect(pipeline.getOrderedPolicies()).toEqual([])
    expect(clone.getOrderedPolicies()).toHaveLength(2)
  })
})
