import sys
import pytest
sys.exit(pytest.main())
