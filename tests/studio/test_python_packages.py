"""What `make` passes on to uv of the user's pip configuration."""

from deploy.python_packages import translate_settings


def test_mirrors_folders_and_certificates_of_pip_hold_for_uv() -> None:
    listed = """\
:env:.find-links='/wheels'
global.cert='/etc/ssl/own.crt'
global.extra-index-url='\\nfile:///one/simple\\nfile:///two/simple'
global.index-url='file:///mirror/simple'
global.timeout='60'
install.constraint='/etc/limits.txt'
"""

    assert translate_settings(listed) == {
        "SSL_CERT_FILE": "/etc/ssl/own.crt",
        "UV_CONSTRAINT": "/etc/limits.txt",
        "UV_DEFAULT_INDEX": "file:///mirror/simple",
        "UV_FIND_LINKS": "/wheels",
        "UV_HTTP_TIMEOUT": "60",
        "UV_INDEX": "file:///one/simple file:///two/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
    }


def test_a_variable_holds_rather_than_a_file_and_the_last_of_a_name_rather_than_the_first() -> None:
    listed = """\
:env:.find-links='/wheels /more wheels'
global.find-links='/of everybody'
install.find-links='/of install'
"""

    assert translate_settings(listed)["UV_FIND_LINKS"] == "/wheels,/more,wheels"


def test_what_uv_has_no_word_for_is_left_out() -> None:
    listed = "freeze.timeout='10'\nglobal.user='true'\nglobal.disable-pip-version-check='1'\n"

    assert translate_settings(listed) == {"UV_INDEX_STRATEGY": "unsafe-best-match"}
