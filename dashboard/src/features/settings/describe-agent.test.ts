import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeAgent } from './describe-agent.ts';

describe('describeAgent', () => {
  it('names browser and system', () => {
    const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36';
    assert.equal(describeAgent(chrome), 'Chrome on Linux');
    assert.equal(describeAgent(`${chrome} Edg/142.0`), 'Edge on Linux');
    assert.equal(
      describeAgent('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Safari/604.1'),
      'Safari on iPhone',
    );
  });

  it('keeps the name of what is not a browser', () => {
    assert.equal(describeAgent('curl/8.9.1'), 'curl/8.9.1');
    assert.equal(describeAgent(null), 'Unknown browser');
  });
});
