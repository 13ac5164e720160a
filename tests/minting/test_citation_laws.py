"""Laws of citations: no wrong name without a warning, and one name for all forms of an act."""

from __future__ import annotations

import pytest
from made_citations import CitedAct, judge, make_acts

_ACTS = list(make_acts(9676, 150))


@pytest.mark.parametrize("act", _ACTS, ids=lambda act: f"{act.code}:{act.measure}:{act.number}")
def test_no_form_of_an_act_gives_a_wrong_name_in_silence(act: CitedAct) -> None:
    assert [form for form in act.forms if judge(act, form) == "wrong"] == []


def test_most_forms_of_acts_give_their_name() -> None:
    judged = [judge(act, form) for act in _ACTS for form in act.forms]
    assert judged.count("right") >= 0.85 * len(judged)
